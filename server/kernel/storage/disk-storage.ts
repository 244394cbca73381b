import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { checkedKey, isKey } from './storage-key.ts';
import type { StoredContent, Storage, StoredObject } from './storage.ts';

export function openDiskStorage(folder: string): Storage {
  const toPath = (key: string) => join(folder, ...checkedKey(key).split('/'));
  return {
    put: async (key, path) => {
      const target = toPath(key);
      await makeFolder(dirname(target), folder);
      await sync(path);
      await move(path, target);
      await sync(dirname(target));
    },
    openRead: (key) => openFile(toPath(key)),
    remove: (key) => rm(toPath(key), { force: true }),
    list: (prefix) => listFiles(folder, toPath(prefix)),
    // The server itself takes in what browsers send.
    uploadAddresses: null,
  };
}

async function openFile(path: string): Promise<StoredContent | null> {
  const handle = await open(path, 'r').catch(nullIfMissing);
  if (handle === null) return null;
  const { size } = await handle.stat();
  // Closes the handle at its end.
  return { content: handle.createReadStream(), byteCount: size };
}

/**
 * Makes `path` and what is missing above it, up to `root`, so that each of them survives a power failure. It makes one folder
 * at a time: of a read-only disk the recursive call of Node says only that something is missing.
 */
async function makeFolder(path: string, root: string): Promise<void> {
  const problem = await tryMakeFolder(path);
  if (problem === 'EEXIST') return;
  if (problem === 'ENOENT') {
    await makeFolder(dirname(path), root);
    await mkdir(path).catch(nullIfThere);
  }
  if (path !== root) await sync(dirname(path));
}

/** Makes a folder; returns null, or why it could not where that is no failure of the disk. */
async function tryMakeFolder(path: string): Promise<'EEXIST' | 'ENOENT' | null> {
  try {
    await mkdir(path);
    return null;
  } catch (error) {
    const code = findCode(error);
    if (code === 'EEXIST' || code === 'ENOENT') return code;
    throw error;
  }
}

/** Asks the disk to keep what it has of a file or of the names in a folder. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (findCode(error) !== 'EXDEV') throw error;
    // The target is on another disk: the copy has a name of its own first, so that the key never names half a file.
    const unfinished = `${to}.unfinished`;
    await copyFile(from, unfinished);
    await sync(unfinished);
    await rename(unfinished, to);
    await rm(from);
  }
}

async function* listFiles(root: string, folder: string): AsyncGenerator<StoredObject> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(nullIfMissing);
  for (const entry of entries ?? []) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const key = relative(root, path).split(sep).join('/');
    if (!isKey(key)) continue; // of the system or a person, such as .DS_Store
    const found = await stat(path).catch(() => null); // removed since
    if (found) yield { key, storedAt: found.mtime };
  }
}

function nullIfMissing(error: unknown): null {
  if (findCode(error) === 'ENOENT') return null;
  throw error;
}

/** Another call has made the folder meanwhile. */
function nullIfThere(error: unknown): null {
  if (findCode(error) === 'EEXIST') return null;
  throw error;
}

function findCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
