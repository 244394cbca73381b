import type { Storage } from './storage.ts';

/** The storage does not answer, answers with an error of its own, or has no room: the same call may go well later. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';

  constructor(cause: unknown) {
    super('The storage of files is unavailable.', { cause });
  }
}

// A full disk; a disk that the system has made read-only after an error, or that cannot be read; a folder of another account.
const UNUSABLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EIO']);

/** Returns whether the error, or its cause, says that files cannot be kept or read for now. */
export function isStorageUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof StorageUnavailableError) return true;
  return ('code' in error && UNUSABLE.has(String(error.code))) || isStorageUnavailable(error.cause);
}

/** Removes an object that no row names any more. While the storage is unavailable it stays, until it is swept. */
export async function deleteUnnamed(storage: Storage, key: string): Promise<void> {
  try {
    await storage.remove(key);
  } catch (error) {
    if (!isStorageUnavailable(error)) throw error;
  }
}
