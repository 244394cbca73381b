import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { AppError } from '#server/errors.ts';
import { serverFile } from '#server/project-folder.ts';
import type { AnalyzedLapFile, AnalyzeTask, LapTaskResult, TimedLapFile, TimeTask } from './lap-tasks.ts';

/**
 * Threads that read lap files, so that no file ever holds up other calls. Both ways throw an AppError where a file takes
 * more time or memory than any lap file needs, and where more files wait than can be read soon.
 */
export type LapWorkers = {
  time: (task: TimeTask) => Promise<LapTaskResult<TimedLapFile>>;
  analyze: (task: AnalyzeTask) => Promise<LapTaskResult<AnalyzedLapFile>>;
  close: () => Promise<void>;
};

export type LapWorkerLimits = { timeLimitMs: number; heapMegabytesMax: number };

// The largest lap file that we take is read in some 3 s; the rest is for slow machines and a queue before it.
const LIMITS: LapWorkerLimits = { timeLimitMs: 60_000, heapMegabytesMax: 768 };
// Each may hold a whole lap file and its columns in memory.
const THREADS_MAX = 4;
const QUEUE_MAX = 200;
const IDLE_BEFORE_END_MS = 60_000;

export function startLapWorkers(limits: LapWorkerLimits = LIMITS): LapWorkers {
  const workerFile = fileURLToPath(serverFile('workers/lap-worker'));
  const pool = new Piscina({
    filename: workerFile,
    name: 'timeLapFile',
    // The sources are TypeScript, which the thread has to learn first.
    execArgv: workerFile.endsWith('.ts') ? ['--import', 'tsx'] : [],
    minThreads: 0,
    maxThreads: Math.max(1, Math.min(THREADS_MAX, availableParallelism())),
    maxQueue: QUEUE_MAX,
    idleTimeout: IDLE_BEFORE_END_MS,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytesMax },
  });
  const run = async (name: string, task: TimeTask | AnalyzeTask) => {
    try {
      return await pool.run(task, { name, signal: AbortSignal.timeout(limits.timeLimitMs) });
    } catch (error) {
      throw toAppError(error);
    }
  };
  return {
    time: (task) => run('timeLapFile', task),
    analyze: (task) => run('analyzeLapFile', task),
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
  if (/queue/i.test(error.message)) {
    return new AppError('unavailable', 'Too many files are being read. Please try again in a minute.', {
      cause: error,
    });
  }
  return error;
}
