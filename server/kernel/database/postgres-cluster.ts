import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  asAccount,
  canEnter,
  EmbeddedPostgresError,
  PROGRAM_ENVIRONMENT,
  type Account,
  type PostgresProgram,
} from './postgres-program.ts';

/** The database user that Pitboard connects as. */
export const DATABASE_USER = 'pitboard';

/** Describes the server that runs, or ran, on a cluster, as PostgreSQL's own file in it says. */
export type PostmasterFile = { processId: number; isReady: boolean };

// PostgreSQL 17 brings its own Unicode rules; before it, only C sorts and compares alike on every system.
const FIRST_MAJOR_VERSION_WITH_BUILTIN_LOCALE = 17;
const run = promisify(execFile);

/**
 * Makes the cluster (the folder of PostgreSQL's files) if there is none yet, and checks that `program` can open it.
 * With a password, connections must give it; without one, every process that reaches the socket is let in.
 */
export async function prepareCluster(
  program: PostgresProgram,
  folder: string,
  password: string | null,
): Promise<void> {
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  if (!(await canEnter(program.account, parent))) await letAccountPass(program.account, parent);
  await removeHalfMadeClusters(folder);
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => null);
  if (version === null && (await isEmpty(folder))) return makeCluster(program, folder, password);
  if (version === null) {
    throw new EmbeddedPostgresError(
      `The database in ${folder} is damaged: PG_VERSION is missing. Restore a backup as docs/operations.md says, or move the folder to start with an empty database.`,
    );
  }
  if (Number(version) !== program.majorVersion) {
    throw new EmbeddedPostgresError(
      `The database in ${folder} was made by PostgreSQL ${version.trim()}, and this is PostgreSQL ${program.majorVersion}. Move it with pg_dump and restore it, or set PITBOARD_POSTGRES_BIN to a PostgreSQL ${version.trim()}.`,
    );
  }
}

/** Reads what PostgreSQL wrote about itself into the cluster, or null where it runs no more. */
export async function readPostmasterFile(folder: string): Promise<PostmasterFile | null> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => null);
  if (text === null) return null;
  const lines = text.split('\n');
  return { processId: Number(lines[0]), isReady: lines[7]?.trim() === 'ready' };
}

/**
 * Removes a postmaster.pid whose process is gone and whose number another program has by now, as after a restart of
 * the computer or of a container; PostgreSQL would refuse to start. One that may be right is left to PostgreSQL.
 */
export async function deleteStalePostmasterFile(folder: string): Promise<void> {
  const file = await readPostmasterFile(folder);
  if (file === null) return;
  const isOther = !(file.processId > 0) || (await runsSomethingElse(file.processId, folder));
  if (isOther) await rm(join(folder, 'postmaster.pid'), { force: true });
}

async function makeCluster(program: PostgresProgram, folder: string, password: string | null): Promise<void> {
  // Made under another name and renamed, so that a start that was interrupted leaves nothing that looks like a database.
  const half = `${folder}.half-${randomBytes(4).toString('hex')}`;
  const passwordFile = `${half}-password`;
  try {
    await mkdir(half, { mode: 0o700 });
    if (password !== null) await writeFile(passwordFile, password, { mode: 0o600 });
    if (program.account) {
      await chown(half, program.account.uid, program.account.gid);
      if (password !== null) await chown(passwordFile, program.account.uid, program.account.gid);
    }
    await run(
      join(program.binFolder, 'initdb'),
      [...initdbOptions(program, password && passwordFile), '-D', half],
      {
        ...asAccount(program.account),
        env: PROGRAM_ENVIRONMENT,
        cwd: half,
      },
    );
    await rename(half, folder);
    await syncFolder(dirname(folder));
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The database could not be made in ${folder}: ${findReason(cause)}. PITBOARD_DATA may name a folder elsewhere.`,
      { cause },
    );
  } finally {
    await removeHalfMadeCluster(half);
    await rm(passwordFile, { force: true });
  }
}

/** Returns the complaint of initdb without the rest of its output. */
function findReason(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const complaint = /^.*?(?:FATAL|PANIC|error):\s+(.*)$/m.exec(said)?.[1];
  return complaint ?? (error instanceof Error ? error.message : String(error));
}

function initdbOptions(program: PostgresProgram, passwordFile: string | null): string[] {
  const locale =
    program.majorVersion >= FIRST_MAJOR_VERSION_WITH_BUILTIN_LOCALE
      ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      : ['--locale=C'];
  const access =
    passwordFile === null ? ['--auth=trust'] : ['--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  return ['--username', DATABASE_USER, '--encoding=UTF8', ...locale, ...access];
}

async function isEmpty(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.length === 0;
}

/** Removes the clusters that a killed initdb left behind. */
async function removeHalfMadeClusters(folder: string): Promise<void> {
  const prefix = `${basename(folder)}.half-`;
  const names = await readdir(dirname(folder));
  for (const name of names.filter((name) => name.startsWith(prefix))) {
    await removeHalfMadeCluster(join(dirname(folder), name));
  }
}

/** Removes a cluster into which the programs of a killed initdb may write for a moment. */
function removeHalfMadeCluster(half: string): Promise<void> {
  return rm(half, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** A data folder made for root alone is opened for passing through; its files keep their own permissions. */
async function letAccountPass(account: Account | null, folder: string): Promise<void> {
  const { mode } = await stat(folder);
  await chmod(folder, (mode & 0o777) | 0o011);
  if (await canEnter(account, folder)) return;
  await chmod(folder, mode & 0o777);
  throw new EmbeddedPostgresError(
    `Pitboard was started as root and runs its database as ${account?.name}, who may not enter ${folder}. Name another folder in PITBOARD_DATA, such as /var/lib/pitboard, or start Pitboard as an ordinary user.`,
  );
}

/** A rename is only safe from a power cut once its folder is written. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function runsSomethingElse(processId: number, folder: string): Promise<boolean> {
  try {
    process.kill(processId, 0);
  } catch {
    return false; // nothing runs under that number, as PostgreSQL will see for itself
  }
  if (process.platform !== 'linux') return false;
  // PostgreSQL works inside its cluster.
  const workingFolder = await readlink(`/proc/${processId}/cwd`).catch(() => null);
  return workingFolder !== null && workingFolder !== folder;
}
