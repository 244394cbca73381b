import type { RecordingHeader } from '#engine/recording/recording-format.ts';
import { openRecordingFolder } from './recording-folder.ts';
import type { StorageCall, StorageProblem, StorageReport, StoredChunk } from './recording-calls.ts';

export type RecorderEvents = {
  onSealed: (sizeBytes: number) => void;
  onFailed: (problem: StorageProblem) => void;
};

/** Hands the bytes of a drive to the worker that writes them. */
export type Recorder = {
  add: (chunk: StoredChunk) => void;
  markHole: (atMs: number) => void;
  /** Resolves once everything is written; gives the size of the file. */
  end: () => Promise<number>;
};

/** Begins a recording, or goes on with one that was cut off where `header` is null. */
export function startRecorder(id: string, header: RecordingHeader | null, events: RecorderEvents): Recorder {
  const worker = new Worker(new URL('recording-worker.ts', import.meta.url), { type: 'module' });
  const call = (message: StorageCall) => worker.postMessage(message, []);
  const letGo = holdLock(id);
  let hasFailed = false;
  let onEnded: (sizeBytes: number) => void = ignore;
  let lastSizeBytes = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<StorageReport>) => {
    if (data.type === 'failed') {
      hasFailed = true;
      events.onFailed(data.problem);
      return onEnded(lastSizeBytes);
    }
    lastSizeBytes = data.sizeBytes;
    if (data.type === 'ended') onEnded(lastSizeBytes);
    else events.onSealed(lastSizeBytes);
  });
  worker.addEventListener('error', () => {
    hasFailed = true;
    events.onFailed('other');
    onEnded(lastSizeBytes);
  });
  call(header === null ? { type: 'resume', id } : { type: 'begin', id, header });
  return {
    add: (chunk) => {
      if (!hasFailed) call({ type: 'chunk', chunk });
    },
    markHole: (atMs) => {
      if (!hasFailed) call({ type: 'hole', atMs });
    },
    end: async () => {
      const sizeBytes = await new Promise<number>((resolve) => {
        onEnded = resolve;
        if (hasFailed) resolve(lastSizeBytes);
        else call({ type: 'end', atMs: Date.now() });
      });
      worker.terminate();
      letGo();
      return sizeBytes;
    },
  };
}

const ignore = (): void => undefined;

const LOCK_PREFIX = 'drive-recording-';

/** Holds a lock as long as this tab writes: a recording without one was cut off. The browser lets go of it when the tab ends. */
function holdLock(id: string): () => void {
  let letGo: () => void = ignore;
  const isDone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  void navigator.locks?.request(LOCK_PREFIX + id, () => isDone);
  return letGo;
}

/** Lists the recordings that some tab is writing at this moment. */
export async function listBeingWritten(): Promise<string[]> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.flatMap(({ name = '' }) =>
    name.startsWith(LOCK_PREFIX) ? [name.slice(LOCK_PREFIX.length)] : [],
  );
}

/** Returns whether this browser can store a recording so that nothing is lost. In a private window many have the call, and refuse it. */
export async function storesRecordings(): Promise<boolean> {
  if (typeof navigator.storage?.getDirectory !== 'function' || typeof Worker === 'undefined') return false;
  return openRecordingFolder().then(
    () => true,
    () => false,
  );
}
