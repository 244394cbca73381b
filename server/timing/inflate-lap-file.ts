import { constants, gunzipSync } from 'node:zlib';
import { LIMITS } from '#contract/limits.ts';
import { UnreadableLapFileError } from '#engine/lap-file.ts';

// Lap files shrink to a tenth, repetitive ones to a thirtieth. What shrinks to less is made to eat memory.
const RATIO_MAX = 100;
const SMALL_BYTES = 1024 * 1024;

/**
 * The lap file in a gzip file (`.csv.gz`, `.gpx.gz`), and any other bytes as they are. A file that was cut off is unpacked as far as it goes.
 * Throws UnreadableLapFileError for one that is damaged, or larger than a lap file may be.
 */
export function inflateLapFile(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const maxOutputLength = Math.min(LIMITS.lapFileBytesMax, Math.max(SMALL_BYTES, RATIO_MAX * bytes.length));
  try {
    return gunzipSync(bytes, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    throw new UnreadableLapFileError(
      isTooLarge
        ? 'This file unpacks to far more than a lap file; unpack it and upload the CSV or GPX file inside.'
        : 'This file is compressed (gzip) and damaged; compress it again, or upload the CSV or GPX file inside.',
      { cause: error },
    );
  }
}
