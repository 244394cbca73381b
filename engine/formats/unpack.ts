import { UnreadableLapFileError } from '../lap-file.ts';

/** Describes how bytes are compressed: gzip (RFC 1952), zlib (RFC 1950) or bare deflate (RFC 1951), as in ZIP archives. */
export type Packing = 'gzip' | 'zlib' | 'deflate';

/**
 * Inflates compressed bytes. The engine has no decompression of its own: Node's zlib, or whatever the caller runs on, is passed in.
 * Throws RangeError for more than `bytesMax`, another error for damaged bytes; what was cut off is inflated as far as it goes.
 */
export type Inflate = (packed: Uint8Array, packing: Packing, bytesMax: number) => Uint8Array;

/** Lap files shrink to a tenth, repetitive ones to a thirtieth. What shrinks to less is made to eat memory. */
const RATIO_MAX = 100;
const SMALL_BYTES = 1024 * 1024;

/** Returns the lap file in `.csv.gz` or `.xrz`, and other bytes as they are. Throws UnreadableLapFileError. */
export function unpackLapFile(bytes: Uint8Array, inflate: Inflate): Uint8Array {
  const packing = findPacking(bytes);
  return packing === null ? bytes : inflateWithin(bytes, packing, inflate);
}

/** Inflates with limits that fit a lap file. Throws UnreadableLapFileError. */
function inflateWithin(packed: Uint8Array, packing: Packing, inflate: Inflate): Uint8Array {
  try {
    return inflate(packed, packing, Math.max(SMALL_BYTES, RATIO_MAX * packed.length));
  } catch (error) {
    throw new UnreadableLapFileError(
      error instanceof RangeError
        ? 'This file unpacks to far more than a lap file; unpack it and upload the file inside.'
        : 'This file is compressed and damaged; copy it from the logger again, or upload the file inside.',
      { cause: error },
    );
  }
}

function findPacking([first = 0, second = 0]: Uint8Array): Packing | null {
  if (first === 0x1f && second === 0x8b) return 'gzip';
  // A zlib header consists of deflate with a window of 32 KB, and a check value that makes both bytes a multiple of 31.
  return first === 0x78 && (first * 256 + second) % 31 === 0 ? 'zlib' : null;
}
