import { LIMITS } from '#contract/limits.ts';

/** The kinds of files that hold tracks and cars. */
export type LibraryFileType = '.json' | '.csv';

export const LIBRARY_FILE_MEGABYTES_MAX = LIMITS.libraryFileBytesMax / (1024 * 1024);

/** The one file to read, or what is wrong with what was chosen, in a sentence. */
export function takeLibraryFile<F extends Pick<File, 'name' | 'size'>>(
  files: readonly F[],
  type: LibraryFileType,
): F | string {
  const [file, ...others] = files;
  if (!file || others.length > 0) return 'Please choose one file.';
  if (!file.name.toLowerCase().endsWith(type)) return `Please choose a ${type} file.`;
  if (file.size > LIMITS.libraryFileBytesMax) {
    return `Please choose a file of at most ${LIBRARY_FILE_MEGABYTES_MAX} MB.`;
  }
  return file;
}
