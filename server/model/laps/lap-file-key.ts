import { randomUUID } from 'node:crypto';
import { COMPRESSED_ENDING } from '#server/kernel/storage/compressed.ts';

/** Names the folder of the storage that holds raw lap files. */
export const LAP_FILES_PREFIX = 'lap-files';

/**
 * Returns a storage key for a lap file that names the content and one attempt to store it. So a failed attempt removes
 * its own object only, while another request may be storing the same bytes.
 */
export function lapFileKey(sha256: string): string {
  return `${LAP_FILES_PREFIX}/${sha256.slice(0, 2)}/${sha256}.${randomUUID()}${COMPRESSED_ENDING}`;
}
