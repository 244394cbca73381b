import { LIMITS } from '#contract/limits.ts';
import { isLapFileName } from '#engine/formats/lap-file-names.ts';

/** Shown as Ready, Processing, Done and Error. */
export type LapFileStatus = 'ready' | 'uploading' | 'uploaded' | 'error';

/** A lap file that the driver has chosen. `detail` says in words what is happening to it. */
export type QueuedLapFile = {
  id: string;
  file: File;
  status: LapFileStatus;
  detail: string;
  /** From 0 to 1 while the file is sent; null at other times. */
  sentShare: number | null;
  /** The track that it was driven on, where that is another than the chosen one. */
  matchedTrackId?: string;
};

export const STATUS_LABELS: Record<LapFileStatus, string> = {
  ready: 'Ready',
  uploading: 'Processing',
  uploaded: 'Done',
  error: 'Error',
};

const BYTES_PER_MEGABYTE = 1024 * 1024;
const SPECIFIED_ENDING = /\.(csv|gpx)(\.gz)?$/i;

/** The file to analyse: the first whose name ends in .csv or .gpx, compressed (.gz) or not, else the first lap file by its name. */
export function findGpsFile(queue: readonly QueuedLapFile[]): QueuedLapFile | undefined {
  return queue.find(({ file }) => SPECIFIED_ENDING.test(file.name)) ?? queue.find(hasGpsName);
}

/** The files that can be analysed by their names, but for the one that was. */
export function listOtherGpsFiles(queue: readonly QueuedLapFile[], analyzedId: string): QueuedLapFile[] {
  return queue.filter((queued) => queued.id !== analyzedId && hasGpsName(queued));
}

/** Whether a file may hold several lap files, by its name. */
export function isArchive({ name }: File): boolean {
  return /\.zip$/i.test(name);
}

function hasGpsName({ file }: QueuedLapFile): boolean {
  return isLapFileName(file.name);
}

/**
 * Puts newly chosen files behind those already there. A file chosen twice stays once; what the server
 * would refuse anyway is left out, with a sentence that names the file and the limit.
 */
export function addLapFiles(
  queue: readonly QueuedLapFile[],
  chosen: readonly File[],
): { queue: QueuedLapFile[]; refusals: string[] } {
  const next = [...queue];
  const refusals: string[] = [];
  for (const file of chosen) {
    const id = identify(file);
    if (next.some((queued) => queued.id === id)) continue;
    const refusal = findRefusal(file, next.length);
    if (refusal === null) next.push(waiting({ id, file }));
    else refusals.push(refusal);
  }
  return { queue: next, refusals };
}

/** What may change about a chosen file. */
export type LapFileChange = Partial<
  Pick<QueuedLapFile, 'status' | 'detail' | 'sentShare' | 'matchedTrackId'>
>;

/** Changes the one file with this id. */
export function updateLapFile(
  queue: readonly QueuedLapFile[],
  id: string,
  change: LapFileChange,
): QueuedLapFile[] {
  return queue.map((queued) => (queued.id === id ? { ...queued, ...change } : queued));
}

/** Every file back to Ready, as before it was processed. */
export function resetLapFiles(queue: readonly QueuedLapFile[]): QueuedLapFile[] {
  return queue.map(waiting);
}

/**
 * Distributes the bytes of one request over its files, which are sent one after the other. The form's own
 * bytes (field names, boundaries) are distributed by size, so that the last file ends at 1.
 */
export function spreadSentBytes(
  queue: readonly QueuedLapFile[],
  sent: { loadedBytes: number; totalBytes: number },
): QueuedLapFile[] {
  const fileBytes = queue.reduce((sum, queued) => sum + queued.file.size, 0);
  let left = sent.totalBytes > 0 ? (sent.loadedBytes / sent.totalBytes) * fileBytes : 0;
  return queue.map((queued) => {
    const share = queued.file.size > 0 ? Math.min(1, Math.max(0, left / queued.file.size)) : 1;
    left -= queued.file.size;
    return { ...queued, ...describeProgress(share) };
  });
}

/** A size for people: 812 KB, 4.2 MB. */
export function formatFileSize(bytes: number): string {
  if (bytes < BYTES_PER_MEGABYTE) return `${Math.max(1, Math.round(bytes / 1024))} KB`;
  return `${(bytes / BYTES_PER_MEGABYTE).toFixed(1)} MB`;
}

/** The progress of a file that is being sent. */
export function describeProgress(share: number): Pick<QueuedLapFile, 'status' | 'detail' | 'sentShare'> {
  if (share >= 1) return { status: 'uploading', detail: 'Sent. Timing the laps…', sentShare: null };
  if (share <= 0) return { status: 'uploading', detail: 'Waiting to be sent', sentShare: 0 };
  return { status: 'uploading', detail: `Sending, ${Math.floor(share * 100)}%`, sentShare: share };
}

/** A file as it was before anything happened to it. */
export function waiting({ id, file }: Pick<QueuedLapFile, 'id' | 'file'>): QueuedLapFile {
  return { id, file, status: 'ready', detail: formatFileSize(file.size), sentShare: null };
}

function findRefusal(file: File, queueLength: number): string | null {
  if (queueLength >= LIMITS.lapFilesPerUploadMax) {
    return `${file.name} was left out: one upload takes at most ${LIMITS.lapFilesPerUploadMax} files.`;
  }
  if (file.size > LIMITS.lapFileBytesMax) {
    const limit = LIMITS.lapFileBytesMax / BYTES_PER_MEGABYTE;
    return `${file.name} was left out: it is larger than ${limit} MB.`;
  }
  if (file.size === 0) return `${file.name} was left out: it is empty.`;
  return null;
}

/** The same file chosen again has the same name, size and time of its last change. */
export function identify(file: File): string {
  return `${file.name}:${file.size}:${file.lastModified}`;
}
