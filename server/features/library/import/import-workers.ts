import { AppError } from '#server/kernel/errors.ts';
import type {
  CheckCarsTask,
  CheckedApexTracks,
  CheckedCars,
  CheckedTrack,
  ImportResult,
  PreviewCarsTask,
  SortOutSetTask,
} from './import-tasks.ts';
import type { NewTracks } from '../track-sets/sort-out-set.ts';
import type * as importWorker from './import-worker.ts';
import type { PublishedRows, SortOutPublishedTask } from '../track-sets/sort-out-published-set.ts';
import { startWorkerPool, type WorkerLimits } from '#server/kernel/workers/worker-pool.ts';

/**
 * Worker threads read the files and requests of administrators, which may be large, so that they never block other calls. Files
 * are given by path, requests as the bytes of their body; returned `Uint8Array`s are JSON in UTF-8. Each function throws an
 * AppError for a problem with the file or request as a whole.
 */
export type ImportWorkers = {
  parseTracks: (path: string) => Promise<Uint8Array>;
  checkTracks: (body: Uint8Array) => Promise<CheckedTrack[]>;
  sortOutTrackSet: (task: SortOutSetTask) => Promise<NewTracks>;
  sortOutPublishedSet: (
    task: SortOutPublishedTask,
    onFile: (done: number, total: number) => void,
  ) => Promise<PublishedRows>;
  parseApex: (path: string) => Promise<Uint8Array>;
  checkApex: (body: Uint8Array) => Promise<CheckedApexTracks>;
  previewCars: (task: PreviewCarsTask) => Promise<Uint8Array>;
  checkCars: (task: CheckCarsTask) => Promise<CheckedCars>;
  close: () => Promise<void>;
};

// 64 MB of JSON take up to ten times as much memory and some seconds; administrators can wait for each other.
const LIMITS: WorkerLimits = { timeLimitMs: 120_000, heapMegabytesMax: 1_536, threadsMax: 1 };

const COUNTED_EVERY_MS = 500;

export function startImportWorkers(limits: Partial<WorkerLimits> = {}): ImportWorkers {
  const pool = startWorkerPool<typeof importWorker>('features/library/import/import-worker', 'parseTracks', {
    ...LIMITS,
    ...limits,
  });
  return {
    parseTracks: async (path) => unwrap(await pool.run('parseTracks', { path })),
    checkTracks: async (body) => unwrap(await pool.run('checkTracks', { body })),
    sortOutTrackSet: async (task) => unwrap(await pool.run('sortOutTrackSet', task)),
    sortOutPublishedSet: async (task, onFile) => {
      const counts = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
      const timer = setInterval(() => onFile(counts[0] ?? 0, counts[1] ?? 0), COUNTED_EVERY_MS);
      try {
        return unwrap(await pool.run('sortOutPublished', { ...task, counts }));
      } finally {
        clearInterval(timer);
      }
    },
    parseApex: async (path) => unwrap(await pool.run('parseApex', { path })),
    checkApex: async (body) => unwrap(await pool.run('checkApex', { body })),
    previewCars: async (task) => unwrap(await pool.run('previewCars', task)),
    checkCars: async (task) => unwrap(await pool.run('checkCars', task)),
    close: pool.close,
  };
}

function unwrap<Value>(result: ImportResult<Value>): Value {
  if (result.isReadable) return result.value;
  const { code, sentence, fields } = result;
  throw new AppError(code, sentence, { ...(fields && { fields }) });
}
