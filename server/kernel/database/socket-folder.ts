import { createHash } from 'node:crypto';
import { lchown, lstat, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, canEnter, EmbeddedPostgresError } from './postgres-program.ts';

// The kernel's limit for a socket's path is 104 bytes on macOS, 108 on Linux.
const SOCKET_PATH_BYTES_MAX = 103;
const SOCKET_NAME = '.s.PGSQL.5432';
const RANDOM_CHARACTERS = 'XXXXXX'; // what mkdtemp adds

/**
 * Makes a private folder for the socket of the database in `clusterFolder`. Its name cannot be predicted: other users
 * of this computer can neither take it before us nor lead us elsewhere with a link.
 */
export async function makeSocketFolder(clusterFolder: string, account: Account | null): Promise<string> {
  const hash = createHash('sha256').update(clusterFolder).digest('hex').slice(0, 8);
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    const prefix = join(parent, `pitboard-${hash}-`);
    const isShort = Buffer.byteLength(join(prefix + RANDOM_CHARACTERS, SOCKET_NAME)) <= SOCKET_PATH_BYTES_MAX;
    if (!isShort || !(await canEnter(account, parent))) continue;
    await removeEmptyFolders(parent, `pitboard-${hash}-`, account);
    const socketFolder = await mkdtemp(prefix);
    if (account) await lchown(socketFolder, account.uid, account.gid);
    return socketFolder;
  }
  throw new EmbeddedPostgresError(
    'There is no temporary folder for the socket of the database: set TMPDIR to a folder with a short path.',
  );
}

export async function deleteSocketFolder(socketFolder: string): Promise<void> {
  await rm(socketFolder, { recursive: true, force: true });
}

/** Removes what killed servers left behind: only folders of our own account, and only empty ones. */
async function removeEmptyFolders(parent: string, prefix: string, account: Account | null): Promise<void> {
  const ownId = account?.uid ?? process.getuid?.();
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((name) => name.startsWith(prefix))) {
    const found = await lstat(join(parent, name)).catch(() => null);
    if (found?.isDirectory() && found.uid === ownId) await rmdir(join(parent, name)).catch(() => undefined);
  }
}
