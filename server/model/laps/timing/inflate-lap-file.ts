import { constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { LIMITS } from '#contract/limits.ts';
import type { Packing } from '#engine/formats/unpack.ts';

const INFLATORS = { gzip: gunzipSync, zlib: inflateSync, deflate: inflateRawSync };

/** Inflates with Node's zlib, never to more than a lap file may hold. */
export function inflateLapFile(packed: Uint8Array, packing: Packing, bytesMax: number): Uint8Array {
  return INFLATORS[packing](packed, {
    maxOutputLength: Math.min(LIMITS.lapFileBytesMax, bytesMax),
    finishFlush: constants.Z_SYNC_FLUSH,
  });
}
