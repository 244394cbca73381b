import type { TrackId } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import { isLapFileName } from '#engine/formats/lap-file-names.ts';

/** The state of a chosen file; the labels are below. */
export type LapFileStatus = 'ready' | 'uploading' | 'uploaded' | 'error';

export type QueuedLapFile = {
  id: string;
  file: File;
  status: LapFileStatus;
  /** The current state of the file, as a sentence. */
  detail: string;
  /** Goes from 0 to 1 while the file is sent; null at other times. */
  sentShare: number | null;
  /** The track of a file that was driven on another track than the chosen one. */
  matchedTrackId?: TrackId;
  /** Is true where the server could not read the file. */
  isUnreadable?: boolean;
  /** Is true where the same driver has uploaded the file before. */
  isOnServer?: boolean;
};

export const STATUS_LABELS: Record<LapFileStatus, string> = {
  ready: 'Ready',
  uploading: 'Processing',
  uploaded: 'Done',
  error: 'Error',
};

const BYTES_PER_MEGABYTE = 1024 * 1024;
const SPECIFIED_ENDING = /\.(csv|gpx)(\.gz)?$/i;

export function findGpsFile(queue: readonly QueuedLapFile[]): QueuedLapFile | undefined {
  return queue.find(({ file }) => SPECIFIED_ENDING.test(file.name)) ?? queue.find(hasGpsName);
}

/** Lists the files that can be analysed by their names, except the one that was. */
export function listOtherGpsFiles(queue: readonly QueuedLapFile[], analyzedId: string): QueuedLapFile[] {
  return queue.filter((queued) => queued.id !== analyzedId && hasGpsName(queued));
}

/** Returns true if a file may hold several lap files, by the suffix of its name. */
export function isArchive({ name }: File): boolean {
  return /\.zip$/i.test(name);
}

/** Returns true for the list of laps that belongs to a MoTeC log, by the suffix of its name. */
export function isLapList({ name }: File): boolean {
  return /\.ldx$/i.test(name);
}

function hasGpsName({ file }: QueuedLapFile): boolean {
  return isLapFileName(file.name);
}

/** Adds chosen files, each once. One that the server would refuse is left out, with a sentence and the limit. */
export function addLapFiles(
  queue: readonly QueuedLapFile[],
  chosen: readonly File[],
): { queue: QueuedLapFile[]; refusals: string[] } {
  const next = [...queue];
  const refusals: string[] = [];
  for (const file of chosen) {
    const id = identify(file);
    if (next.some((queued) => queued.id === id)) continue;
    const refusal = findRefusal(file, next);
    if (refusal === null) next.push(makeReady({ id, file }));
    else refusals.push(refusal);
  }
  return { queue: next, refusals };
}

export type LapFileChange = Partial<
  Pick<QueuedLapFile, 'status' | 'detail' | 'sentShare' | 'matchedTrackId' | 'isUnreadable'>
>;

export function updateLapFile(
  queue: readonly QueuedLapFile[],
  id: string,
  change: LapFileChange,
): QueuedLapFile[] {
  return queue.map((queued) => (queued.id === id ? { ...queued, ...change } : queued));
}

/** Returns every file to Ready, as before it was processed. */
export function resetLapFiles(queue: readonly QueuedLapFile[]): QueuedLapFile[] {
  return queue.map(makeReady);
}

/** Distributes the bytes of a request over its files, and those of the form by size: the last file ends at 1. */
export function spreadSentBytes(
  files: readonly QueuedLapFile[],
  sent: { loadedBytes: number; totalBytes: number },
): QueuedLapFile[] {
  const fileBytes = files.reduce((sum, queued) => sum + queued.file.size, 0);
  let left = sent.totalBytes > 0 ? (sent.loadedBytes / sent.totalBytes) * fileBytes : 0;
  return files.map((queued) => {
    const share = queued.file.size > 0 ? Math.min(1, Math.max(0, left / queued.file.size)) : 1;
    left -= queued.file.size;
    return { ...queued, ...describeProgress(share) };
  });
}

/** Formats a size as 812 KB or 4.2 MB. */
export function formatFileSize(bytes: number): string {
  if (bytes < BYTES_PER_MEGABYTE) return `${Math.max(1, Math.round(bytes / 1024))} KB`;
  return `${(bytes / BYTES_PER_MEGABYTE).toFixed(1)} MB`;
}

function describeProgress(share: number): Pick<QueuedLapFile, 'status' | 'detail' | 'sentShare'> {
  if (share >= 1) return { status: 'uploading', detail: 'Sent. Timing the laps…', sentShare: null };
  if (share <= 0) return { status: 'uploading', detail: 'Waiting to be sent', sentShare: 0 };
  return { status: 'uploading', detail: `Sending, ${Math.floor(share * 100)}%`, sentShare: share };
}

export function makeReady({ id, file }: Pick<QueuedLapFile, 'id' | 'file'>): QueuedLapFile {
  return { id, file, status: 'ready', detail: formatFileSize(file.size), sentShare: null };
}

/** Returns true where the list holds as many files as one upload takes. */
export function isFull(queue: readonly QueuedLapFile[]): boolean {
  return queue.length >= LIMITS.lapFilesPerUploadMax;
}

function findRefusal(file: File, queue: readonly QueuedLapFile[]): string | null {
  if (isFull(queue)) {
    return `${file.name} was left out: one upload takes at most ${LIMITS.lapFilesPerUploadMax} files.`;
  }
  if (file.size > LIMITS.lapFileBytesMax) {
    const limit = LIMITS.lapFileBytesMax / BYTES_PER_MEGABYTE;
    return `${file.name} was left out: it is larger than ${limit} MB.`;
  }
  if (file.size === 0) return `${file.name} was left out: it is empty.`;
  return null;
}

/** Returns the id of a file. The same file chosen again has the same name, size and time of its last change. */
export function identify(file: File): string {
  return `${file.name}:${file.size}:${file.lastModified}`;
}
