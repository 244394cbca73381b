import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readPostmasterFile, deleteStalePostmasterFile } from './postgres-cluster.ts';
import {
  asAccount,
  EmbeddedPostgresError,
  PROGRAM_ENVIRONMENT,
  type PostgresProgram,
} from './postgres-program.ts';

export type PostgresChildOptions = {
  program: PostgresProgram;
  folder: string;
  settings: Record<string, string>;
  logFile: string;
};

export type PostgresChild = {
  /** Resolves when the server has ended, for whatever reason. */
  ended: Promise<void>;
  /** Ends it cleanly, or at once in the last second of `patienceMs`; resolves when it has ended. */
  stop: (patienceMs?: number) => Promise<void>;
};

// The shell waits for PostgreSQL, and a second shell waits for the end of the pipe from this process. However this
// process ends, even by SIGKILL, the kernel closes the pipe and PostgreSQL is stopped; and when the first shell
// is killed, this process sees that and closes the pipe. SIGINT is PostgreSQL's "fast" shutdown: connections are cut,
// nothing committed is lost.
const GUARD_SCRIPT = `
exec 3<&0 </dev/null
"$@" 3<&- &
postgres=$!
( while read -r _ <&3; do :; done; kill -INT "$postgres" ) 2>/dev/null &
guard=$!
exec 3<&-
wait "$postgres"
status=$?
kill "$guard" 2>/dev/null
exit "$status"
`;

const READY_CHECK_INTERVAL_MS = 10;
const RETRY_INTERVAL_MS = 100;
// A server that was killed may need so long until its last process is gone.
const PREDECESSOR_PATIENCE_MS = 15_000;
// A clean stop gives way to an immediate one in the end; PostgreSQL then recovers at its next start.
const STOP_PATIENCE_MS = 16_000;
const IMMEDIATE_STOP_MS = 1_000;
const LOG_BYTES_MAX = 5_000_000;

const isWindows = process.platform === 'win32';
const run = promisify(execFile);

/** Starts the server and resolves once it accepts connections; waits for a predecessor that is still ending. */
export async function startPostgresChild(options: PostgresChildOptions): Promise<PostgresChild> {
  const giveUpAtMs = Date.now() + PREDECESSOR_PATIENCE_MS;
  for (;;) {
    await deleteStalePostmasterFile(options.folder);
    const outcome = await startOnce(options);
    if ('child' in outcome) return outcome.child;
    const isPredecessor = /pre-existing shared memory block|lock file "postmaster.pid"/.test(
      outcome.messages,
    );
    if (!isPredecessor || Date.now() > giveUpAtMs) throw startError(options, outcome.messages);
    await sleep(RETRY_INTERVAL_MS);
  }
}

async function startOnce(
  options: PostgresChildOptions,
): Promise<{ child: PostgresChild } | { messages: string }> {
  const before = await readPostmasterFile(options.folder);
  const log = await openLog(options.logFile);
  try {
    const logStart = (await log.stat()).size;
    const child = spawnPostgres(options, log.fd);
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve()); // it could not even be started
    }).finally(() => child.stdin?.destroy());
    if (await becomesReady(options.folder, before?.processId, child))
      return { child: { ended, stop: (patienceMs) => stopPostgres(options, child, { ended, patienceMs }) } };
    const { buffer, bytesRead } = await log.read(Buffer.alloc(64_000), 0, 64_000, logStart);
    return { messages: buffer.toString('utf8', 0, bytesRead) };
  } finally {
    await log.close();
  }
}

async function becomesReady(
  folder: string,
  processIdBefore: number | undefined,
  child: ChildProcess,
): Promise<boolean> {
  while (isRunning(child)) {
    const file = await readPostmasterFile(folder);
    if (file?.isReady && file.processId !== processIdBefore) return true;
    await sleep(READY_CHECK_INTERVAL_MS);
  }
  return false;
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

function spawnPostgres(
  { program, folder, settings }: PostgresChildOptions,
  logDescriptor: number,
): ChildProcess {
  const settingArguments = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [join(program.binFolder, 'postgres'), '-D', folder, ...settingArguments];
  // Windows has no shell to stand guard; there a PostgreSQL that outlived Pitboard holds its cluster until it is ended.
  const [file = '', ...programArguments] = isWindows
    ? command
    : ['/bin/sh', '-c', GUARD_SCRIPT, 'pitboard-guard', ...command];
  const child = spawn(file, programArguments, {
    ...asAccount(program.account),
    env: PROGRAM_ENVIRONMENT,
    cwd: folder,
    // PostgreSQL gets a session of its own, or Ctrl-C would stop it before the requests under way are finished.
    detached: true,
    windowsHide: true,
    stdio: ['pipe', logDescriptor, logDescriptor],
  });
  child.stdin?.on('error', () => undefined); // the guard may be gone before the pipe is closed
  return child;
}

async function stopPostgres(
  { program, folder }: PostgresChildOptions,
  child: ChildProcess,
  { ended, patienceMs = STOP_PATIENCE_MS }: { ended: Promise<void>; patienceMs: number | undefined },
): Promise<void> {
  const stopWith = (mode: 'fast' | 'immediate'): Promise<unknown> =>
    run(join(program.binFolder, 'pg_ctl'), ['stop', '-D', folder, '-m', mode, '--no-wait'], {
      ...asAccount(program.account),
      env: PROGRAM_ENVIRONMENT,
      cwd: folder,
    }).catch(() => undefined); // it has ended already
  child.stdin?.end();
  if (isWindows) await stopWith('fast');
  const patience = new AbortController();
  const hasEnded = await Promise.race([
    ended.then(() => true),
    sleep(Math.max(0, patienceMs - IMMEDIATE_STOP_MS), false, { signal: patience.signal }).catch(() => true),
  ]);
  patience.abort();
  if (!hasEnded) await stopWith('immediate');
  await ended;
}

/** Opens the log for writing behind what is there; a long one is set aside, and the one before it goes. */
async function openLog(logFile: string): ReturnType<typeof open> {
  const size = await stat(logFile).then(
    (file) => file.size,
    () => 0,
  );
  if (size > LOG_BYTES_MAX) await rename(logFile, `${logFile}.1`);
  return open(logFile, 'a+', 0o600);
}

function startError({ folder, logFile }: PostgresChildOptions, messages: string): EmbeddedPostgresError {
  const reasons = messages.split('\n').filter((line) => /FATAL|PANIC|error|not found|HINT/i.test(line));
  const reason = (reasons.length > 0 ? reasons : messages.split('\n')).slice(-3).join(' ').trim();
  return new EmbeddedPostgresError(
    `The database in ${folder} did not start: ${reason || 'PostgreSQL said nothing'}. Its messages are in ${logFile}; if its files are damaged, restore a backup as docs/operations.md says.`,
  );
}
