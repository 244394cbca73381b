import { createHash, randomBytes } from 'node:crypto';
import { lstat, mkdir, mkdtemp, open, readFile, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { isDiskFullError, StartError } from '#server/kernel/errors.ts';

export class DataFolderError extends StartError {
  override name = 'DataFolderError';
}

/** Describes a running server in its data folder for `npm run admin` and for a second start. */
export type RunningServer = z.infer<typeof runningServerSchema>;

/** The data folder, held by this process alone until `release`, or until the process ends in whatever way. */
export type DataFolder = {
  /** Absolute, links resolved. */
  path: string;
  announce: (server: Omit<RunningServer, 'processId'>) => Promise<void>;
  release: () => Promise<void>;
};

const runningServerSchema = z.object({
  processId: z.number(),
  url: z.string(),
  /** The address of the embedded database; null where the settings name another. */
  connectionString: z.string().nullable(),
});

const RUNNING_FILE = 'running.json';
const COOKIE_SECRET_FILE = 'cookie-secret';
const COOKIE_SECRET_BYTES = 32;
const COOKIE_SECRET_CHARACTERS = 43;
const COOKIE_SECRET = new RegExp(`^[\\w-]{${COOKIE_SECRET_CHARACTERS}}$`);

/** Makes the folder when it is missing and takes it for this process; throws a DataFolderError where another has it. */
export async function lockDataFolder(folder: string): Promise<DataFolder> {
  const path = await makeFolder(folder);
  const lock = await holdLock(await lockAddress(path));
  if (lock === null) throw new DataFolderError(await describeHolder(path));
  // Whatever a server that was killed has left there is not true any more.
  await rm(join(path, RUNNING_FILE), { force: true });
  return {
    path,
    announce: (server) =>
      writeWhole(join(path, RUNNING_FILE), JSON.stringify({ processId: process.pid, ...server })),
    release: async () => {
      await rm(join(path, RUNNING_FILE), { force: true });
      await new Promise((resolve) => lock.close(resolve));
    },
  };
}

/** The server that runs on the folder, as it announced itself, or null where none did. */
export async function findRunningServer(folder: string): Promise<RunningServer | null> {
  const text = await readFile(join(folder, RUNNING_FILE), 'utf8').catch(() => null);
  return text === null ? null : runningServerSchema.parse(JSON.parse(text));
}

/**
 * Returns the secret that signs cookies: made once, then kept, so that sign-ins outlive a restart.
 * @throws DataFolderError for a file that is damaged: a short secret would let anybody sign, and a new one would change
 *   the key of all proofs without a word
 */
export async function keepCookieSecret(folder: DataFolder): Promise<string> {
  const file = join(folder.path, COOKIE_SECRET_FILE);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  const known = text?.trim();
  if (known !== undefined) {
    if (COOKIE_SECRET.test(known)) return known;
    throw new DataFolderError(
      `The file ${file} is damaged: it does not hold ${COOKIE_SECRET_CHARACTERS} characters of A to Z, a to z, 0 to 9, - and _. Put the file of your backup there, set COOKIE_SECRET, or remove the file for a new secret: that voids the links of old mails and the key of lap proofs, and an owner enters the password of the mail server again.`,
    );
  }
  const secret = randomBytes(COOKIE_SECRET_BYTES).toString('base64url');
  await writeWhole(file, secret);
  return secret;
}

/** Leaves the set-up link where only the account that runs the server can read it; null removes it. Gives the file. */
export async function leaveSetUpLink({ path }: DataFolder, link: string | null): Promise<string> {
  const file = join(path, 'set-up-link.txt');
  if (link === null) await rm(file, { force: true });
  else await writeWhole(file, `${link}\n`);
  return file;
}

async function makeFolder(folder: string): Promise<string> {
  try {
    // The account that runs the database must be able to pass through where Pitboard is root.
    await makeFolders(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
    // Root may do anything anywhere, and still not everything: only trying shows.
    await mkdtemp(join(folder, 'probe-')).then(rmdir, unlessDiskFull);
    return await realpath(folder);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DataFolderError(
      `Pitboard cannot use ${folder} for its data (${reason}). Name another folder in PITBOARD_DATA.`,
      { cause },
    );
  }
}

/** A disk that is full says nothing about permissions; the start goes on, and says so where it needs room. */
function unlessDiskFull(error: unknown): void {
  if (!isDiskFullError(error)) throw error;
}

/** Node's own way to make a folder with those above it never ends where the system makes none, as below `/proc`. */
async function makeFolders(path: string, mode: number): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return;
  if (found) throw new Error('it is a file');
  const parent = dirname(path);
  if (parent !== path) await makeFolders(parent, mode);
  await mkdir(path, { mode }).catch((error: unknown) => {
    // Somebody else has just made it.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
}

async function describeHolder(path: string): Promise<string> {
  const holder = await findRunningServer(path);
  const hint = 'Stop it first, or name another folder in PITBOARD_DATA.';
  return holder === null
    ? `Pitboard is already starting or stopping on ${path}. ${hint}`
    : `Pitboard is already running on ${path}: process ${holder.processId} at ${holder.url}. ${hint}`;
}

/**
 * A name that only one process can listen on. On Linux (in the abstract namespace) and on Windows (a pipe) the kernel
 * frees it when the process ends; elsewhere it is a socket file, which a process that was killed leaves behind.
 */
async function lockAddress(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true });
  const identity = process.platform === 'win32' ? path.toLowerCase() : `${dev}:${ino}`;
  const name = `pitboard-lock-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}`;
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), name);
}

/** Listens on the name for as long as the process lives; null where another process does. */
export async function holdLock(address: string): Promise<Server | null> {
  const server = await listen(address);
  if (server !== null) return server;
  const isSocketFile = address.startsWith('/');
  if (!isSocketFile || (await isAnswered(address))) return null;
  // Others can take the name in a temporary folder: only a socket of our own is removed.
  const found = await lstat(address).catch(() => null);
  if (found && !(found.isSocket() && found.uid === process.getuid?.())) return null;
  await rm(address, { force: true });
  return listen(address);
}

function listen(address: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    // The lock alone keeps no process running.
    server.listen({ path: address, exclusive: true }, () => resolve(server.unref()));
  });
}

function isAnswered(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
  });
}

/** Writes a private file so that a reader, or a power cut, finds all of it or none. */
async function writeWhole(file: string, text: string): Promise<void> {
  const half = `${file}.half`;
  const handle = await open(half, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(half, file);
}
