import { constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { LIMITS } from '#contract/limits.ts';
import type { Packing } from '#engine/formats/unpack.ts';

const INFLATORS = { gzip: gunzipSync, zlib: inflateSync, deflate: inflateRawSync };

/** Decompresses a lap file with Node's zlib, up to `bytesMax` bytes. */
export function inflateLapFile(packed: Uint8Array, packing: Packing, bytesMax: number): Uint8Array {
  return INFLATORS[packing](packed, {
    maxOutputLength: Math.min(LIMITS.lapFileBytesMax, bytesMax),
    finishFlush: constants.Z_SYNC_FLUSH,
  });
}
