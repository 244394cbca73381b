import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findFreePort } from '#server/kernel/process/free-port.ts';

/** The built server in a process of its own, on a data folder of its own: what a person starts with `npm start`. */
export type Pitboard = {
  url: string;
  dataFolder: string;
  processId: number;
  /** Everything that it has printed. */
  output: () => string;
  /** Closes what reads its output, as a terminal does that is closed. */
  closeOutput: () => void;
  /** Stops it as Ctrl-C does; gives its exit code. */
  stop: () => Promise<number | null>;
  /** Ends it without any warning. */
  kill: () => Promise<void>;
  /** Stops it and starts it again on the same data and the same port. */
  restart: () => Promise<Pitboard>;
  /** Stops it and throws its data away. */
  remove: () => Promise<void>;
};

export type PitboardOptions = {
  /** The folder of another version of the project, built as well. */
  folder?: string;
  /** A new temporary one without it, empty or with the prepared data. */
  dataFolder?: string;
  /** A free one without it. */
  port?: number;
  /** More settings, by the names of their environment variables. There is no demo community unless they say so. */
  environment?: Record<string, string>;
};

const projectFolder = fileURLToPath(new URL('..', import.meta.url));
// It takes a few seconds of processor time, which a busy machine shares among many.
const START_PATIENCE_MS = 110_000;

/** This environment variable names a data folder with tables and libraries, from which servers without a demo community start. */
export const PREPARED_DATA = 'PITBOARD_TEST_PREPARED_DATA';

/** Starts the built server and resolves once it says that it runs; throws with what it printed where it ends instead. */
export async function startPitboard(options: PitboardOptions = {}): Promise<Pitboard> {
  const port = options.port ?? (await findFreePort());
  const dataFolder = options.dataFolder ?? (await makeDataFolder(options));
  const child = spawn(process.execPath, ['--enable-source-maps', 'dist/server/main.js'], {
    cwd: options.folder ?? projectFolder,
    env: {
      ...process.env,
      PORT: String(port),
      PITBOARD_DATA: dataFolder,
      PITBOARD_DEMO: 'off',
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  }
  const output = (): string => chunks.join('');
  const url = `http://localhost:${port}`;
  try {
    await untilStarted(child, output);
  } catch (error) {
    if (options.dataFolder === undefined) await removeFolder(dataFolder);
    throw error;
  }
  return toPitboard(child, { url, dataFolder, output }, () =>
    startPitboard({ ...options, port, dataFolder }),
  );
}

async function makeDataFolder({ folder, environment }: PitboardOptions): Promise<string> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'pitboard-e2e-'));
  const prepared = process.env[PREPARED_DATA];
  if (prepared !== undefined && folder === undefined && environment?.['PITBOARD_DEMO'] === undefined) {
    // The database may belong to another account, which Node does not copy.
    await promisify(execFile)('cp', ['-a', `${prepared}/.`, dataFolder]);
  }
  return dataFolder;
}

function toPitboard(
  child: ChildProcess,
  facts: Pick<Pitboard, 'url' | 'dataFolder' | 'output'>,
  startAgain: () => Promise<Pitboard>,
): Pitboard {
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (isRunning(child)) {
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    }
    return child.exitCode;
  };
  return {
    ...facts,
    closeOutput: () => {
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    },
    processId: child.pid ?? Number.NaN,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
    restart: async () => {
      await end('SIGTERM');
      return startAgain();
    },
    remove: async () => {
      await end('SIGTERM');
      await removeFolder(facts.dataFolder);
    },
  };
}

/** Removes a data folder, into which the database may write for a moment after its server was killed. */
function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

async function untilStarted(child: ChildProcess, output: () => string): Promise<void> {
  const giveUpAtMs = Date.now() + START_PATIENCE_MS;
  while (isRunning(child)) {
    if (output().includes('is running. Open')) return;
    if (Date.now() > giveUpAtMs) {
      child.kill('SIGKILL');
      break;
    }
    await sleep(50);
  }
  throw new Error(`Pitboard did not start:\n${output()}`);
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
