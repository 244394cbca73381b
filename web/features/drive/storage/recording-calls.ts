import type { RecordingHeader } from '#engine/recording/recording-format.ts';

/** The bytes of a receiver on their way into the file. */
export type StoredChunk = { bytes: Uint8Array; arrivalMs: number; channel?: number };

/** The page asks the worker for these. */
export type StorageCall =
  | { type: 'begin'; id: string; header: RecordingHeader }
  /** Goes on with a recording that was cut off: what is torn at its end is removed. */
  | { type: 'resume'; id: string }
  | { type: 'chunk'; chunk: StoredChunk }
  | { type: 'hole'; atMs: number }
  | { type: 'end'; atMs: number };

/** The worker says what became of it. */
export type StorageReport =
  | { type: 'ready'; sizeBytes: number }
  /** Everything up to here is on the disk, whatever happens to page or battery. */
  | { type: 'sealed'; sizeBytes: number }
  | { type: 'ended'; sizeBytes: number }
  | { type: 'failed'; problem: StorageProblem };

/** `full`: there is no space. `busy`: another tab writes this recording. `unsupported`: the browser has no such files. */
export type StorageProblem = 'full' | 'busy' | 'unsupported' | 'other';
