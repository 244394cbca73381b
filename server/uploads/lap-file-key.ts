import { randomUUID } from 'node:crypto';
import { COMPRESSED_ENDING } from '#server/kernel/storage/compressed.ts';

/** The folder of the storage that holds raw lap files. */
export const LAP_FILES_PREFIX = 'lap-files';

/**
 * A storage key for a lap file: it names the content, and one attempt to store it. So whoever gives up an attempt removes
 * what is theirs alone, while somebody else may just be storing the same bytes.
 */
export function lapFileKey(sha256: string): string {
  return `${LAP_FILES_PREFIX}/${sha256.slice(0, 2)}/${sha256}.${randomUUID()}${COMPRESSED_ENDING}`;
}
