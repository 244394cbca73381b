import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';

/** A part of a text, and the same compressed by itself, so that it can stand in any compressed text. */
export type PackedPart = { plain: Buffer; deflated: Buffer };

// RFC 1952: deflated, without a name or a time, of no known system. Behind the content come its check sum and its length.
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const LAST_BLOCK = Buffer.from([3, 0]);
const LENGTH_OFFSET = 4;

export async function packPart(text: string): Promise<PackedPart> {
  const plain = Buffer.from(text);
  // Ends with a whole byte, and does not say that nothing follows.
  const deflated = await promisify(deflateRaw)(plain, { finishFlush: constants.Z_SYNC_FLUSH });
  return { plain, deflated };
}

/** Parts put together. */
export type JoinedParts = {
  /** Copies all parts; megabytes, for whoever really asks for them. */
  joinPlain: () => Buffer;
  plainByteCount: number;
  gzipped: Buffer;
};

/** The parts one after the other, as they are and as one gzip stream: none is compressed again. */
export function joinParts(parts: readonly PackedPart[]): JoinedParts {
  // Without the empty ones, at which `crc32` would begin anew.
  const plain = parts.map((part) => part.plain).filter(({ length }) => length > 0);
  const plainByteCount = plain.reduce((sum, { length }) => sum + length, 0);
  const trailer = Buffer.alloc(2 * LENGTH_OFFSET);
  trailer.writeUInt32LE(
    plain.reduce((sum, bytes) => crc32(bytes, sum), 0),
    0,
  );
  trailer.writeUInt32LE(plainByteCount, LENGTH_OFFSET);
  const deflated = parts.map((part) => part.deflated);
  return {
    joinPlain: () => Buffer.concat(plain),
    plainByteCount,
    gzipped: Buffer.concat([GZIP_HEADER, ...deflated, LAST_BLOCK, trailer]),
  };
}
