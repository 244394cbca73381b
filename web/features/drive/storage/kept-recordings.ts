import { readRecording } from '#engine/recording/read-recording.ts';
import { RECORDING_ENDING } from '#engine/recording/recording-format.ts';
import type { KeptRecording } from '../drive-state.ts';
import { openRecordingFolder } from './recording-folder.ts';
import { listBeingWritten, storesRecordings } from './record.ts';

// The files are the truth: what is noted beside them here is for the list, and may be missing.

const CACHE_NAME = 'drive-recordings';
const FOLDER = '/drive-recordings-of-this-browser/';

/** Notes what the list of recordings shows of one. Without space for the note the recording stays as it is. */
export async function saveRecordingEntry(note: KeptRecording): Promise<void> {
  try {
    const cache = await caches.open(CACHE_NAME);
    await cache.put(toUrl(note.id), new Response(JSON.stringify(note)));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** Lists the recordings of this browser, the newest first, without those that a tab is writing. */
export async function listRecordings(): Promise<KeptRecording[]> {
  if (!(await storesRecordings()) || typeof caches === 'undefined') return [];
  const folder = await openRecordingFolder();
  const written = await listBeingWritten();
  const found: KeptRecording[] = [];
  for await (const id of folder.keys()) {
    if (written.includes(id)) continue;
    const recording = (await readNote(id)) ?? (await describeFile(id));
    if (recording !== null) found.push(recording);
  }
  return found.toSorted((one, other) => other.startedAtMs - one.startedAtMs);
}

async function readNote(id: string): Promise<KeptRecording | null> {
  const response = await (await caches.open(CACHE_NAME)).match(toUrl(id));
  if (response === undefined) return null;
  // Only `saveRecordingEntry` writes here.
  const note: KeptRecording = await response.json();
  return note.endedAtMs === null ? { ...note, endedAtMs: (await describeFile(id))?.endedAtMs ?? null } : note;
}

/** Reads from the file itself what it holds; null for one that cannot be read, and for one without even an intact beginning, which is removed. */
async function describeFile(id: string): Promise<KeptRecording | null> {
  const bytes = await findRecordingBytes(id);
  if (bytes === null) return null;
  const read = readRecording(bytes);
  if (read === null) {
    await deleteRecording(id);
    return null;
  }
  const { header, lastArrivalMs, isEnded } = read;
  return {
    id,
    startedAtMs: header.startedAtMs,
    endedAtMs: lastArrivalMs,
    trackId: null,
    trackName: null,
    sourceName: header.model ?? 'Receiver',
    kind: header.stream,
    state: isEnded ? 'kept' : 'cut',
    laps: [],
  };
}

/** Reads the file of a recording; null where there is none, or the browser cannot read it. */
export async function findRecordingBytes(id: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const entry = await (await openRecordingFolder()).getFileHandle(id);
    return new Uint8Array(await (await entry.getFile()).arrayBuffer());
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

/** Gives a recording as a lap file for the upload, without a torn end; null where nothing of it can be read. */
export async function findLapFile({
  id,
  startedAtMs,
}: Pick<KeptRecording, 'id' | 'startedAtMs'>): Promise<File | null> {
  const bytes = await findRecordingBytes(id);
  if (bytes === null || bytes.length === 0) return null;
  const read = readRecording(bytes);
  const intact = read === null ? bytes : bytes.subarray(0, read.state.lengthBytes);
  return new File([intact], nameLapFile({ startedAtMs }), { lastModified: startedAtMs });
}

/** Names the lap file of a recording: by its beginning, which no other recording of this browser shares. */
export function nameLapFile({ startedAtMs }: Pick<KeptRecording, 'startedAtMs'>): string {
  const moment = new Date(startedAtMs).toISOString().slice(0, 19).replaceAll(':', '-');
  return `pitboard-${moment}Z${RECORDING_ENDING}`;
}

/** Takes a recording that was cut off as ended: its file is a lap file up to there. */
export async function finishCut(recording: KeptRecording): Promise<void> {
  await saveRecordingEntry({ ...recording, state: 'kept' });
}

export async function deleteRecording(id: string): Promise<void> {
  await (await openRecordingFolder()).removeEntry(id);
  await (await caches.open(CACHE_NAME)).delete(toUrl(id));
}

function toUrl(id: string): string {
  return `${FOLDER}${encodeURIComponent(id)}`;
}
