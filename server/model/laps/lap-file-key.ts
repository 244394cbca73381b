import { randomUUID } from 'node:crypto';
import { COMPRESSED_ENDING } from '#server/kernel/storage/compressed.ts';

/** Names the folder of the storage that holds raw lap files. */
export const LAP_FILES_PREFIX = 'lap-files';

/** Returns a key for the content and one attempt to store it, so that a failed one removes its own object only. */
export function lapFileKey(sha256: string): string {
  return `${LAP_FILES_PREFIX}/${sha256.slice(0, 2)}/${sha256}.${randomUUID()}${COMPRESSED_ENDING}`;
}
