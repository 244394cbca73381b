import { openRecordingFolder } from './recording-folder.ts';
import { RecordingFile, StorageError, type FileHandle } from './recording-file.ts';
import type { StorageCall, StorageProblem, StorageReport } from './recording-calls.ts';

// Writes the recording of one drive. Only a worker may have the handle that writes at once; a page that hangs or ends takes
// nothing back.

const SEAL_EVERY_MS = 1_000;

let file: RecordingFile | null = null;
let sealedBytes = 0;
let sealTimer: ReturnType<typeof setInterval> | undefined;
// Calls wait for the file to be open.
let turn: Promise<void> = Promise.resolve();

self.addEventListener('message', ({ data }: MessageEvent<StorageCall>) => {
  turn = turn.then(() => answer(data)).catch((error: unknown) => fail(error));
});

async function answer(call: StorageCall): Promise<void> {
  switch (call.type) {
    case 'begin': {
      const handle = await openHandle(call.id, true);
      return open(handle, () => RecordingFile.begin(handle, call.header));
    }
    case 'resume': {
      const handle = await openHandle(call.id, false);
      return open(handle, () => RecordingFile.resume(handle, Date.now()));
    }
    case 'chunk':
      return file?.add(call.chunk);
    case 'hole':
      return file?.markHole(call.atMs);
    case 'end':
      return end(call.atMs);
  }
}

function open(handle: FileHandle, start: () => RecordingFile): void {
  try {
    file = start();
  } catch (error) {
    handle.close();
    throw error;
  }
  sealTimer = setInterval(seal, SEAL_EVERY_MS);
  sealedBytes = file.sizeBytes;
  report({ type: 'ready', sizeBytes: sealedBytes });
}

function seal(): void {
  if (file === null || file.sizeBytes === sealedBytes) return;
  try {
    file.seal();
    sealedBytes = file.sizeBytes;
    report({ type: 'sealed', sizeBytes: sealedBytes });
  } catch (error) {
    fail(error);
  }
}

function end(atMs: number): void {
  const ended = file;
  file = null;
  clearInterval(sealTimer);
  if (ended === null) return report({ type: 'ended', sizeBytes: sealedBytes });
  try {
    ended.end(atMs);
  } catch {
    // The recording is whole even if there is no space for its last block.
    ended.close();
  }
  report({ type: 'ended', sizeBytes: ended.sizeBytes });
}

/** Stops the recording; what was written is kept. */
function fail(error: unknown): void {
  const problem = findProblem(error);
  const failed = file;
  file = null;
  clearInterval(sealTimer);
  try {
    failed?.close();
  } catch {
    // The file cannot be closed better than it is.
  }
  sealedBytes = failed?.sizeBytes ?? sealedBytes;
  report({ type: 'failed', problem });
}

function findProblem(error: unknown): StorageProblem {
  if (error instanceof StorageError) return error.problem;
  if (!(error instanceof Error)) return 'other';
  if (error.name === 'NoModificationAllowedError') return 'busy';
  if (error.name === 'QuotaExceededError') return 'full';
  return error.name === 'SecurityError' || error instanceof TypeError ? 'unsupported' : 'other';
}

type WithSyncAccess = { createSyncAccessHandle?: () => Promise<FileHandle> };

async function openHandle(id: string, create: boolean): Promise<FileHandle> {
  const folder = await openRecordingFolder();
  // Only workers have this call, so the compiler does not know it of pages.
  const entry: FileSystemFileHandle & WithSyncAccess = await folder.getFileHandle(id, { create });
  if (entry.createSyncAccessHandle === undefined) throw new StorageError('unsupported');
  return entry.createSyncAccessHandle();
}

function report(message: StorageReport): void {
  postMessage(message, { transfer: [] });
}
