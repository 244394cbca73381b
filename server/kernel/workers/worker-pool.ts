import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { AppError } from '#server/kernel/errors.ts';
import { serverFile } from '#server/kernel/project-folder.ts';

export type WorkerLimits = {
  /** For the work itself; waiting for it does not count. */
  timeLimitMs: number;
  heapMegabytesMax: number;
  threadsMax: number;
  /** How many tasks may wait for a thread. */
  waitingMax?: number;
};

/** What a worker file exports: functions that take one task each. */
type WorkerFile = Record<string, (task: never) => unknown>;

/** Threads that run the exported functions of one file. */
export type WorkerPool<File extends WorkerFile> = {
  /**
   * Runs one function of the file.
   * @throws AppError where the task takes more time or memory than it can need, or too many wait already
   */
  run: <Name extends keyof File & string>(
    name: Name,
    task: Parameters<File[Name]>[0],
  ) => Promise<Awaited<ReturnType<File[Name]>>>;
  /** Tasks that run now, and those that wait for it. */
  load: () => { running: number; waiting: number };
  close: () => Promise<void>;
};

const WAITING_MAX = 200;
const IDLE_BEFORE_END_MS = 60_000;

/**
 * Threads for the file `path`, relative to the server's folder and without extension, whose type is `File`. None runs
 * before the first task, and those that have nothing to do for long end. `firstName` is any function of the file.
 */
export function startWorkerPool<File extends WorkerFile>(
  path: string,
  firstName: keyof File & string,
  limits: WorkerLimits,
): WorkerPool<File> {
  const workerFile = fileURLToPath(serverFile(path));
  const threads = Math.max(1, Math.min(limits.threadsMax, availableParallelism()));
  const turns = openTurns(threads, limits.waitingMax ?? WAITING_MAX);
  const pool = new Piscina({
    filename: workerFile,
    // A new thread looks this function up first, and does not survive not finding it.
    name: firstName,
    // The sources are TypeScript, which the thread has to learn first.
    execArgv: workerFile.endsWith('.ts') ? ['--import', 'tsx'] : [],
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_BEFORE_END_MS,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytesMax },
  });
  return {
    run: async (name, task) => {
      await turns.take();
      try {
        return await pool.run(task, { name, signal: AbortSignal.timeout(limits.timeLimitMs) });
      } catch (error) {
        throw toAppError(error);
      } finally {
        turns.give();
      }
    },
    load: turns.load,
    close: () => pool.close({ force: true }),
  };
}

/** Lets so many tasks run at once, and the others wait in their order: the pool's own queue would count as running time. */
function openTurns(runningMax: number, waitingMax: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    take: async (): Promise<void> => {
      if (running < runningMax) running += 1;
      else if (waiting.length < waitingMax) await new Promise<void>((resolve) => waiting.push(resolve));
      else throw new AppError('unavailable', 'Too many files are being read. Please try again in a minute.');
    },
    give: (): void => {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    },
    load: () => ({ running, waiting: waiting.length }),
  };
}

/** Says in words why a file could not be read to its end; any other error is a bug and stays what it is. */
function toAppError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === 'AbortError') {
    return new AppError('invalid_input', 'Reading this file took too long.', { cause: error });
  }
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new AppError('invalid_input', 'This file needs too much memory to be read.', { cause: error });
  }
  return error;
}
