import { setFlagsFromString } from 'node:v8';
import type * as lapWorker from './lap-worker.ts';
import type { AnalyzedLapFile, AnalyzeTask, LapTaskResult, TimedLapFile, TimeTask } from './lap-tasks.ts';
import { startWorkerPool, type WorkerLimits } from '../kernel/workers/worker-pool.ts';

/**
 * Threads that read lap files, so that no file ever holds up other calls. Both ways throw an AppError where a file takes
 * more time or memory than any lap file needs, and where more files wait than can be read soon.
 */
export type LapWorkers = {
  time: (task: TimeTask) => Promise<LapTaskResult<TimedLapFile>>;
  analyze: (task: AnalyzeTask) => Promise<LapTaskResult<AnalyzedLapFile>>;
  /** Files that are read now, and those that wait for it. */
  load: () => { running: number; waiting: number };
  close: () => Promise<void>;
};

// The largest lap file that we take is read in some 3 s; the rest is for slow machines.
// Each thread may hold a whole lap file and its columns in memory.
const LIMITS: WorkerLimits = { timeLimitMs: 60_000, heapMegabytesMax: 768, threadsMax: 4 };

// What one lap file leaves behind fills a heap that begins small, and its threads would collect garbage in the middle of each.
// Read when a thread starts; there is no option of a single thread for it.
const HEAP_AT_START = ['--initial-old-space-size=128', '--min-semi-space-size=16'];

export function startLapWorkers(limits: Partial<WorkerLimits> = {}): LapWorkers {
  for (const flag of HEAP_AT_START) setFlagsFromString(flag);
  const path = 'timing/lap-worker';
  const pool = startWorkerPool<typeof lapWorker>(path, 'timeLapFile', { ...LIMITS, ...limits });
  return {
    time: (task) => pool.run('timeLapFile', task),
    analyze: (task) => pool.run('analyzeLapFile', task),
    load: pool.load,
    close: pool.close,
  };
}
