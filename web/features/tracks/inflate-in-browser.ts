import { Gunzip, Inflate, Unzlib } from 'fflate';
import { LIMITS } from '#contract/limits.ts';
import type { Packing } from '#engine/formats/unpack.ts';

const STREAMS = { gzip: Gunzip, zlib: Unzlib, deflate: Inflate };
const PIECE_BYTES = 65_536;

/** Inflates in a browser, whose own decompression is asynchronous; never to more than a lap file may hold. */
export function inflateInBrowser(packed: Uint8Array, packing: Packing, bytesMax: number): Uint8Array {
  const limit = Math.min(LIMITS.lapFileBytesMax, bytesMax);
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  const stream = new STREAMS[packing]((piece: Uint8Array) => {
    sizeBytes += piece.length;
    if (sizeBytes > limit) throw new RangeError('More than a lap file may hold.');
    pieces.push(piece);
  });
  // A truncated stream has no end, so the last piece is not marked as the last.
  for (let from = 0; from < packed.length; from += PIECE_BYTES)
    stream.push(packed.subarray(from, from + PIECE_BYTES));
  const whole = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
