import type { QueryClient } from '@tanstack/react-query';
import { describeError } from '#web/api/api-error.ts';
import { fetchFile } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';
import { LostConnectionError, type SentBytes } from '#web/api/send-with-progress.ts';
import { showToast } from '#web/ui/toasts.ts';
import { describeCheck, findAnalysisProblem, findOwnTrack, findTiming, getTimingOn } from './gps-analysis.ts';
import {
  findGpsFile,
  isArchive,
  listOtherGpsFiles,
  waiting,
  type LapFileChange,
  type QueuedLapFile,
} from './lap-file-queue.ts';
import {
  findSubmitProblem,
  forgetRemovedCar,
  type SubmitProblem,
  type UploadDetails,
} from './submit-checks.ts';
import { analyzeLapFile, garageQuery, sendLapFiles } from './upload-queries.ts';
import { listDayGroups } from './track-day.ts';
import { isVideo, readVideos } from './read-videos.ts';
import { describeOutcome } from './upload-results.ts';
import { CONNECTION_LOST, untilConnected } from './until-connected.ts';
import { getUpload, dispatchUpload } from './upload-store.ts';

const SENTENCE_FOR_ANYTHING = describeError(null);

/** Stops the current step; a new step stops the one before. */
let running = new AbortController();

/** Adds the files that the driver has chosen; of ZIP archives the lap files in them, of videos their positions. */
export async function chooseFiles(chosen: readonly File[]): Promise<void> {
  const unpacked = chosen.some(isArchive) ? await unpackAll(chosen) : chosen;
  const files = unpacked.some(isVideo) ? await readVideos(unpacked) : unpacked;
  if (files.length === 0) return;
  if (getUpload().phase === 'sending') return;
  const lengthBefore = getUpload().queue.length;
  dispatchUpload({ type: 'files_chosen', files });
  if (getUpload().queue.length > lengthBefore) running.abort();
}

/** Adds a sample lap file of the server. */
export async function trySample(fileName: string): Promise<void> {
  try {
    await chooseFiles([await fetchFile(`/api/samples/${fileName}`, fileName)]);
  } catch (error) {
    const message = sentenceFor(error, 'The sample could not be loaded. Please try again.');
    showToast({ title: 'No sample', description: message, destructive: true });
  }
}

async function unpackAll(files: readonly File[]): Promise<File[]> {
  const { unpackArchives } = await import('./unpack-archives.ts');
  return await unpackArchives(files);
}

/** Removes a file from the list; if it is being analysed, that stops. */
export function removeFile(fileId: string): void {
  const wasAnalyzing = getUpload().phase === 'analyzing';
  dispatchUpload({ type: 'file_removed', fileId });
  if (wasAnalyzing && getUpload().phase === 'idle') running.abort();
}

/** Analyses the first file with GPS data and opens the choice of a track. */
export async function processFiles(): Promise<void> {
  const queued = findGpsFile(getUpload().queue);
  if (queued === undefined) {
    showToast({
      title: 'No GPS files found',
      description: 'Please upload a .csv or .gpx file with GPS data.',
      destructive: true,
    });
    return;
  }
  const { id: fileId, file } = queued;
  const signal = beginStep();
  dispatchUpload({ type: 'analysis_started', fileId });
  try {
    const onProgress = (detail: string) =>
      dispatchUpload({ type: 'file_progress', fileId, change: { detail } });
    const found = await analyzeLapFile(file, { signal, onProgress });
    const problem = findAnalysisProblem(found);
    if (problem !== null)
      showToast({ ...problem, ...(found.hasGps ? { neutral: true } : { destructive: true }) });
    dispatchUpload({ type: 'analysis_finished', fileId, found });
  } catch (error) {
    if (signal.aborted) return;
    const message = sentenceFor(error, 'The file could not be analysed. Please try again.');
    showToast({ title: 'Analysis failed', description: message, destructive: true });
    dispatchUpload({ type: 'analysis_failed', fileId, message });
  }
}

/** Chooses a track: times the laps on it where the analysis does not hold them, and then reads the other files. */
export async function chooseTrack(trackId: string): Promise<void> {
  dispatchUpload({ type: 'track_chosen', trackId });
  const { analysis, queue } = getUpload();
  const queued = queue.find((queued) => queued.id === analysis?.fileId);
  if (queued === undefined) return;
  const signal = beginStep();
  await timeOnTrack(queued, trackId, signal);
  for (const other of listOtherGpsFiles(queue, queued.id)) await checkFile(other, trackId, signal);
  // With several tracks there is no summary of its laps: its row says them.
  const isDay = !signal.aborted && listDayGroups(getUpload()).length > 0;
  if (!isDay || analysis === null || findTiming(analysis.found, trackId) === null) return;
  const change = describeCheck(analysis.found, trackId);
  dispatchUpload({ type: 'file_changed', fileId: queued.id, change });
}

async function timeOnTrack({ file }: QueuedLapFile, trackId: string, signal: AbortSignal): Promise<void> {
  if (getUpload().timing?.state !== 'pending') return;
  try {
    const found = await analyzeLapFile(file, { trackId, signal });
    dispatchUpload({ type: 'timing_finished', timing: getTimingOn(found, trackId) });
  } catch (error) {
    if (signal.aborted) return;
    const message = sentenceFor(error, 'The laps could not be timed on this track.');
    dispatchUpload({ type: 'timing_failed', trackId, message });
  }
}

const OF_NO_TRACK = 'It matches no known track: process it alone, and add its track.';

/** Says in the row of a file what it holds, on the chosen track or on the one that it was driven on. One that could not be checked stays as it was. */
async function checkFile(queued: QueuedLapFile, trackId: string, signal: AbortSignal): Promise<void> {
  const { id: fileId, file } = queued;
  if (signal.aborted || !getUpload().queue.some(({ id }) => id === fileId)) return;
  const change = (change: LapFileChange) => dispatchUpload({ type: 'file_changed', fileId, change });
  change({ status: 'uploading', detail: 'Timing the laps…' });
  const onProgress = (detail: string) => change({ detail });
  const analyze = (options: { trackId?: string }) =>
    untilConnected(() => analyzeLapFile(file, { ...options, signal, onProgress }), {
      signal,
      onWaiting: () => onProgress(CONNECTION_LOST),
    });
  try {
    const found = await analyze({});
    const matchedTrackId = findOwnTrack(found, trackId);
    if (matchedTrackId !== null) change({ ...describeCheck(found, matchedTrackId), matchedTrackId });
    else if (findTiming(found, trackId) !== null) change(describeCheck(found, trackId));
    else {
      const checked = describeCheck(await analyze({ trackId }), trackId);
      const isOfNoTrack = checked.status === 'error' && found.hasGps && found.suggestions.length === 0;
      change(isOfNoTrack ? { ...checked, detail: `${checked.detail} ${OF_NO_TRACK}` } : checked);
    }
  } catch {
    if (!signal.aborted) change(waiting(queued));
  }
}

/** Sends everything and shows the result, or shows and returns the reason why it cannot be sent. */
export async function submitUpload(queryClient: QueryClient): Promise<SubmitProblem | null> {
  const { queue, trackId, details: filledIn } = getUpload();
  const details = forgetRemovedCar(filledIn, queryClient.getQueryData(garageQuery.queryKey));
  const problem = findSubmitProblem({ ...details, trackId, fileCount: queue.length });
  if (problem === null && trackId !== null) {
    await sendAll({ ...details, trackId }, queryClient);
  } else if (problem !== null) {
    showToast({ title: problem.title, description: problem.description, destructive: true });
  }
  return problem;
}

/** Cancels the upload. Files that have already reached the server may still be stored. */
export function cancelUpload(): void {
  running.abort();
}

async function sendAll(upload: UploadDetails & { trackId: string }, queryClient: QueryClient): Promise<void> {
  const signal = beginStep();
  dispatchUpload({ type: 'sending_started' });
  try {
    const files = getUpload().queue.map((queued) => queued.file);
    const outcome = await sendLapFiles(files, upload, { signal, onProgress: showProgress });
    const { succeeded, ...words } = describeOutcome(outcome.results);
    dispatchUpload({ type: 'sending_finished', outcome });
    showToast({ ...words, destructive: !succeeded });
    if (succeeded) await refreshLaps(queryClient);
  } catch (error) {
    if (signal.aborted) dispatchUpload({ type: 'sending_cancelled' });
    else failSending(error);
  }
}

function showProgress(sent: SentBytes): void {
  dispatchUpload({ type: 'bytes_sent', ...sent });
}

function failSending(error: unknown): void {
  const message = sentenceFor(error, 'Upload failed');
  showToast({ title: 'Upload failed', description: message, destructive: true });
  dispatchUpload({ type: 'sending_failed', message });
}

/** New laps change the sessions, the boards and the order of the tracks. */
export async function refreshLaps(queryClient: QueryClient): Promise<void> {
  await refresh(['sessions', 'tracks', 'laps'], queryClient);
}

/** Stops what is under way, for a new step. */
export function beginStep(): AbortSignal {
  running.abort();
  running = new AbortController();
  return running.signal;
}

/** The server's message about a failure; `fallback` without one. */
export function sentenceFor(error: unknown, fallback: string): string {
  if (error instanceof LostConnectionError) return error.message;
  const sentence = describeError(error);
  return sentence === SENTENCE_FOR_ANYTHING ? fallback : sentence;
}
