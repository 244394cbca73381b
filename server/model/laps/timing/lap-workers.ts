import type { BuiltLine } from './build-line.ts';
import { setFlagsFromString } from 'node:v8';
import type * as lapWorker from './lap-worker.ts';
import type {
  AnalyzedLapFile,
  AnalyzeTask,
  CompareTask,
  LapTaskResult,
  ShownTrack,
  ShowTrackTask,
  ProvenLap,
  ProveTask,
  TimedLapFile,
  TimeTask,
  ViewTask,
} from './lap-tasks.ts';
import type { Turn } from '#server/kernel/workers/fair-queue.ts';
import { startWorkerPool, type WorkerLimits } from '#server/kernel/workers/worker-pool.ts';

/** Who sent a lap file, and how large it is: drivers take turns, and small files do not wait for large ones. */
export type SentFile = { userId: string; byteCount: number };

/**
 * Threads that read lap files, so that no file ever holds up other calls. Both ways throw an AppError where a file takes
 * more time or memory than any lap file needs, and where more files wait than can be read soon.
 */
export type LapWorkers = {
  time: (task: TimeTask, sent: SentFile) => Promise<LapTaskResult<TimedLapFile>>;
  analyze: (task: AnalyzeTask, sent: SentFile) => Promise<LapTaskResult<AnalyzedLapFile>>;
  showTrack: (task: ShowTrackTask, sent: SentFile) => Promise<LapTaskResult<ShownTrack | null>>;
  trace: (task: TimeTask, sent: SentFile) => Promise<LapTaskResult<Uint8Array>>;
  prove: (task: ProveTask, sent: SentFile) => Promise<LapTaskResult<ProvenLap | null>>;
  /** For laps that are stored; `reader` takes turns with those who send files. */
  view: (task: ViewTask, reader: string) => Promise<Uint8Array | null>;
  compare: (task: CompareTask, reader: string) => Promise<Uint8Array | null>;
  /** Makes the line of a track: see `encodeReferenceLine`. */
  buildLine: (traces: Uint8Array[], reader: string) => Promise<BuiltLine | null>;
  /** Files that are read now, and those that wait for it. */
  load: () => { running: number; waiting: number };
  close: () => Promise<void>;
};

// The largest lap file that we take is read in some 3 s; the rest is for slow machines.
// Each thread may hold a whole lap file and its columns in memory.
const LIMITS: WorkerLimits = { timeLimitMs: 60_000, heapMegabytesMax: 768, threadsMin: 2, threadsMax: 4 };

// Read in half a second on a small machine.
const SMALL_FILE_BYTES_MAX = 4 * 1024 * 1024;

// What one lap file leaves behind fills a heap that begins small, and its threads would collect garbage in the middle of each.
// Read when a thread starts; there is no option of a single thread for it.
const HEAP_AT_START = ['--initial-old-space-size=128', '--min-semi-space-size=16'];

export function startLapWorkers(limits: Partial<WorkerLimits> = {}): LapWorkers {
  for (const flag of HEAP_AT_START) setFlagsFromString(flag);
  const path = 'model/laps/timing/lap-worker';
  const pool = startWorkerPool<typeof lapWorker>(path, 'timeLapFile', { ...LIMITS, ...limits });
  return {
    time: (task, sent) => pool.run('timeLapFile', task, turnFor(sent)),
    analyze: (task, sent) => pool.run('analyzeLapFile', task, turnFor(sent)),
    showTrack: (task, sent) => pool.run('showTrack', task, turnFor(sent)),
    trace: (task, sent) => pool.run('traceLapFile', task, turnFor(sent)),
    prove: (task, sent) => pool.run('proveLap', task, turnFor(sent)),
    view: (task, reader) => pool.run('describeTrace', task, { key: reader, isLarge: false }),
    compare: (task, reader) => pool.run('describeComparison', task, { key: reader, isLarge: false }),
    buildLine: (traces, reader) => pool.run('buildLine', traces, { key: reader, isLarge: false }),
    load: pool.load,
    close: pool.close,
  };
}

function turnFor({ userId, byteCount }: SentFile): Turn {
  return { key: userId, isLarge: byteCount > SMALL_FILE_BYTES_MAX };
}
