import { basename } from 'node:path';
import { LIMITS } from '#contract/limits.ts';

/** Returns the name of a file without the path that some browsers send, and without signs that hide or turn text where it is shown. */
export function toShownFileName(name: string): string {
  return basename(name.replaceAll('\\', '/'))
    .replaceAll(/[\p{Control}\p{Format}]/gu, '')
    .slice(0, LIMITS.fileNameCharactersMax);
}
