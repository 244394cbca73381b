import type { BuiltLine } from './build-line.ts';
import { setFlagsFromString } from 'node:v8';
import type { RefusedFileReport } from '#contract/upload/refused-files.ts';
import type * as lapWorker from './lap-worker.ts';
import type {
  AnalyzedLapFile,
  AnalyzeTask,
  CompareTask,
  ConfirmCourseTask,
  ExportFileTask,
  ExportLapTask,
  LapTaskResult,
  ShownTrack,
  ShowTrackTask,
  ProvenLap,
  ProveTask,
  TimedLapFile,
  TimeTask,
  ViewTask,
} from './lap-tasks.ts';
import type { ConfirmedCourse } from '#engine/proposal/recognise-courses.ts';
import type { Turn } from '#server/kernel/workers/fair-queue.ts';
import { startWorkerPool, type WorkerLimits } from '#server/kernel/workers/worker-pool.ts';

/** Holds the driver and the size of a lap file, because drivers take turns and small files do not wait for large ones. */
export type SentFile = { userId: string; byteCount: number };

/** Runs tasks in threads. @throws AppError for more time or memory than lap files need, or too many waiting */
export type LapWorkers = {
  time: (task: TimeTask, sent: SentFile) => Promise<LapTaskResult<TimedLapFile>>;
  analyze: (task: AnalyzeTask, sent: SentFile) => Promise<LapTaskResult<AnalyzedLapFile>>;
  showTrack: (task: ShowTrackTask, sent: SentFile) => Promise<LapTaskResult<ShownTrack | null>>;
  confirmCourse: (
    task: ConfirmCourseTask,
    sent: SentFile,
  ) => Promise<LapTaskResult<ConfirmedCourse | 'no_lap' | 'elsewhere'>>;
  trace: (task: TimeTask, sent: SentFile) => Promise<LapTaskResult<Uint8Array>>;
  prove: (task: ProveTask, sent: SentFile) => Promise<LapTaskResult<ProvenLap | null>>;
  /** Reads a stored lap; `reader` takes turns with drivers who upload files. */
  view: (task: ViewTask, reader: string) => Promise<Uint8Array | null>;
  compare: (task: CompareTask, reader: string) => Promise<Uint8Array | null>;
  buildLine: (traces: Uint8Array[], reader: string) => Promise<BuiltLine | null>;
  exportFile: (task: ExportFileTask, sent: SentFile) => Promise<LapTaskResult<null>>;
  exportLap: (task: ExportLapTask, reader: string) => Promise<Uint8Array | null>;
  /** Says what the engine finds in a file, or why it refuses it. */
  report: (task: { path: string }, sent: SentFile) => Promise<RefusedFileReport>;
  load: () => { running: number; waiting: number };
  close: () => Promise<void>;
};

// Numbers that are parsed become garbage at once. Three spaces of 16 MB would hold more of it than many a lap file has bytes,
// and with 8 MB a file is read as quickly.
const SEMI_SPACE_MEGABYTES = 8;
export const LAP_WORKER_YOUNG_MEGABYTES = 3 * SEMI_SPACE_MEGABYTES;

// The largest accepted lap file takes 3 s; the limit allows for slow machines.
// Each thread may hold a whole lap file and its columns in memory.
const LIMITS: WorkerLimits = {
  timeLimitMs: 60_000,
  heapMegabytesMax: 768,
  youngMegabytesMax: LAP_WORKER_YOUNG_MEGABYTES,
  threadsMin: 2,
  threadsMax: 4,
};

// A small machine reads such a file in half a second.
const SMALL_FILE_BYTES_MAX = 4 * 1024 * 1024;

// A heap that begins small would fill up with the garbage of one lap file, and its collection would interrupt the next one.
// Node reads these options when a thread starts; there is no option for a single thread.
const HEAP_AT_START = ['--initial-old-space-size=128', `--min-semi-space-size=${SEMI_SPACE_MEGABYTES}`];

export function startLapWorkers(limits: Partial<WorkerLimits> = {}): LapWorkers {
  for (const flag of HEAP_AT_START) setFlagsFromString(flag);
  const path = 'model/laps/timing/lap-worker';
  const pool = startWorkerPool<typeof lapWorker>(path, 'timeLapFile', { ...LIMITS, ...limits });
  return {
    time: (task, sent) => pool.run('timeLapFile', task, turnFor(sent)),
    analyze: (task, sent) => pool.run('analyzeLapFile', task, turnFor(sent)),
    showTrack: (task, sent) => pool.run('showTrack', task, turnFor(sent)),
    confirmCourse: (task, sent) => pool.run('confirmDrawnCourse', task, turnFor(sent)),
    trace: (task, sent) => pool.run('traceLapFile', task, turnFor(sent)),
    prove: (task, sent) => pool.run('proveLap', task, turnFor(sent)),
    view: (task, reader) => pool.run('describeTrace', task, { key: reader, isLarge: false }),
    compare: (task, reader) => pool.run('describeComparison', task, { key: reader, isLarge: false }),
    buildLine: (traces, reader) => pool.run('buildLine', traces, { key: reader, isLarge: false }),
    exportFile: (task, sent) => pool.run('exportLapFile', task, turnFor(sent)),
    exportLap: (task, reader) => pool.run('exportLap', task, { key: reader, isLarge: false }),
    report: (task, sent) => pool.run('reportFile', task, turnFor(sent)),
    load: pool.load,
    close: pool.close,
  };
}

function turnFor({ userId, byteCount }: SentFile): Turn {
  return { key: userId, isLarge: byteCount > SMALL_FILE_BYTES_MAX };
}
