import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { AppError } from '#server/kernel/errors.ts';
import { serverFile } from '#server/kernel/files/project-folder.ts';
import { openFairQueue, type Turn } from './fair-queue.ts';

export type WorkerLimits = {
  /** The limit of the work itself, without the wait for it. */
  timeLimitMs: number;
  heapMegabytesMax: number;
  /** The part of the heap for what lives shortly, which fills up before it is cleared; by default what Node takes. */
  youngMegabytesMax?: number;
  threadsMax: number;
  /** Even on a computer with fewer cores. */
  threadsMin?: number;
  /** The number of tasks that may wait for a thread. */
  waitingMax?: number;
};

/** Describes the exports of a worker file: functions that take one task each. */
type WorkerFile = Record<string, (task: never) => unknown>;

export type WorkerPool<File extends WorkerFile> = {
  /** Runs one function in turn. @throws AppError for too much time or memory, or where too many wait already */
  run: <Name extends keyof File & string>(
    name: Name,
    task: Parameters<File[Name]>[0],
    turn?: Turn,
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
  const { threadsMin = 1, threadsMax, waitingMax = WAITING_MAX } = limits;
  const threads = Math.max(threadsMin, Math.min(threadsMax, availableParallelism()));
  // Piscina's own queue would count waiting as running time.
  const queue = openFairQueue({
    running: threads,
    runningLarge: Math.max(1, threads - 1),
    runningOfOne: Math.max(1, threads - 1),
    waiting: waitingMax,
  });
  const pool = new Piscina({
    filename: workerFile,
    // A new thread looks this function up first, and does not survive not finding it.
    name: firstName,
    // The sources are TypeScript, which the thread has to learn first.
    execArgv: workerFile.endsWith('.ts') ? ['--import', 'tsx'] : [],
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_BEFORE_END_MS,
    resourceLimits: {
      maxOldGenerationSizeMb: limits.heapMegabytesMax,
      ...(limits.youngMegabytesMax !== undefined && { maxYoungGenerationSizeMb: limits.youngMegabytesMax }),
    },
  });
  return {
    run: (name, task, turn = { key: '', isLarge: false }) =>
      queue.run(turn, async () => {
        try {
          return await pool.run(task, { name, signal: AbortSignal.timeout(limits.timeLimitMs) });
        } catch (error) {
          throw toAppError(error);
        }
      }),
    load: queue.load,
    close: () => pool.close({ force: true }),
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
