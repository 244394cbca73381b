import type { TrackId } from '#contract/ids.ts';
import { ApiError, describeError } from '#web/api/api-error.ts';
import { fetchFile } from '#web/api/call-api.ts';
import { formatSentence } from '#web/ui/format.ts';
import { showToast } from '#web/ui/toasts.ts';
import {
  describeAnalysis,
  describeCheck,
  findAnalysisProblem,
  findOwnTrack,
  fitsAny,
  findTiming,
  getTimingOn,
  isOfKnownTrack,
} from './gps-analysis.ts';
import {
  findGpsFile,
  isArchive,
  isLapList,
  listOtherGpsFiles,
  makeReady,
  type LapFileChange,
  type QueuedLapFile,
} from './lap-file-queue.ts';
import { isVideo, readVideos } from './read-videos.ts';
import { CONNECTION_LOST, untilConnected } from './until-connected.ts';
import { analyzeLapFile } from './upload-queries.ts';
import {
  addFiles,
  changeFile,
  finishAnalysis,
  matchedAgain,
  withoutFile,
  showTiming,
  startAnalysis,
  withTrack,
} from './upload-state.ts';
import type { GpsAnalysis } from './upload-answers.ts';
import type { Upload } from './upload-store.ts';

/**
 * Adds the files that the driver has chosen: the lap files inside ZIP archives, and the positions inside videos. What has been read while
 * others are sent waits for their end.
 */
export async function chooseFiles(upload: Upload, chosen: readonly File[]): Promise<void> {
  if (chosen.length === 0) return;
  upload.change({ refusals: [] });
  const unpacked = chosen.some(isArchive) ? await unpackAll(chosen) : chosen;
  const paired = unpacked.some(isLapList) ? await pairAll(unpacked) : unpacked;
  const files = paired.some(isVideo) ? await readVideos(upload, paired) : paired;
  if (files.length === 0) return;
  await upload.untilSent();
  const lengthBefore = upload.state.queue.length;
  upload.change(addFiles(files));
  if (upload.state.queue.length > lengthBefore) upload.stopStep();
}

async function pairAll(files: readonly File[]): Promise<File[]> {
  const { pairLapLists } = await import('./pair-lap-lists.ts');
  return await pairLapLists(files);
}

async function unpackAll(files: readonly File[]): Promise<File[]> {
  const { unpackArchives } = await import('./unpack-archives.ts');
  return await unpackArchives(files);
}

export async function chooseSample(upload: Upload, fileName: string): Promise<void> {
  try {
    await chooseFiles(upload, [await fetchFile(`/api/samples/${fileName}`, fileName)]);
  } catch (error) {
    const description = describeFailure(error, 'The sample could not be loaded. Please try again.');
    showToast({ title: 'No sample', description, destructive: true });
  }
}

/** Removes a file from the list; if it is being analysed, that stops. */
export function removeFile(upload: Upload, fileId: string): void {
  const wasAnalyzing = upload.state.phase === 'analyzing';
  upload.change(withoutFile(fileId));
  if (wasAnalyzing && upload.state.phase === 'idle') upload.stopStep();
}

/**
 * Analyses the first file with GPS data and opens the choice of a track. Files before it that cannot be read are passed over: their rows
 * show why.
 */
export async function processFiles(upload: Upload): Promise<void> {
  const { queue } = upload.state;
  const first = findGpsFile(queue);
  if (first === undefined) {
    showToast({
      title: 'No GPS files found',
      description: 'Please upload a .csv or .gpx file with GPS data.',
      destructive: true,
    });
    return;
  }
  const signal = upload.beginStep();
  upload.change(startAnalysis);
  let last: { fileId: string; found: GpsAnalysis } | null = null;
  for (const queued of [first, ...listOtherGpsFiles(queue, first.id)]) {
    if (!upload.state.queue.some(({ id }) => id === queued.id)) continue;
    const found = await analyzeQueued(upload, queued, signal);
    if (found === null) return;
    last = { fileId: queued.id, found };
    if (found.hasGps) break;
  }
  if (last === null) return;
  const problem = findAnalysisProblem(last.found);
  if (problem !== null) showToast({ ...problem, [last.found.hasGps ? 'neutral' : 'destructive']: true });
  upload.change(finishAnalysis(last.fileId, last.found));
}

/** Matches the analysed file again after tracks have arrived. Returns false if it still fits none; otherwise the choice of a track opens. */
export async function matchAgain(upload: Upload): Promise<boolean> {
  const { analysis, queue } = upload.state;
  const queued = queue.find(({ id }) => id === analysis?.fileId);
  if (queued === undefined) return true;
  const found = await analyzeQueued(upload, queued, upload.beginStep());
  if (found === null) return true;
  if (!fitsAny(found)) return false;
  upload.change(matchedAgain(queued.id, found));
  return true;
}

/** Analyses a file and shows in its row what was found. Gives null if the step was stopped or the server gave no answer. */
async function analyzeQueued(
  upload: Upload,
  { id, file }: QueuedLapFile,
  signal: AbortSignal,
): Promise<GpsAnalysis | null> {
  upload.change(
    changeFile(id, { status: 'uploading', detail: 'Reading GPS positions and matching the track…' }),
  );
  try {
    const onProgress = (detail: string) => upload.change(changeFile(id, { detail }));
    const found = await analyzeLapFile(upload, file, { signal, onProgress });
    upload.change(
      changeFile(id, {
        status: found.hasGps ? 'ready' : 'error',
        detail: describeAnalysis(found),
        ...(!found.hasGps && { isUnreadable: true }),
      }),
    );
    return found;
  } catch (error) {
    if (signal.aborted) return null;
    const description = describeFailure(error, 'The file could not be analysed. Please try again.');
    showToast({ title: 'Analysis failed', description, destructive: true });
    upload.change(changeFile(id, { status: 'error', detail: description }));
    upload.change({ phase: 'idle' });
    return null;
  }
}

/** Chooses a track: times the laps on it where the analysis does not hold them, and then checks the other files. */
export async function chooseTrack(upload: Upload, trackId: TrackId): Promise<void> {
  upload.change(withTrack(trackId));
  const { analysis, queue } = upload.state;
  const queued = queue.find((queued) => queued.id === analysis?.fileId);
  if (queued === undefined || analysis === null) return;
  const signal = upload.beginStep();
  if (findTiming(analysis.found, trackId) === null) await timeOnTrack(upload, queued, trackId, signal);
  else upload.change(changeFile(queued.id, describeCheck(analysis.found, trackId)));
  for (const other of listOtherGpsFiles(queue, queued.id)) await checkFile(upload, other, trackId, signal);
}

async function timeOnTrack(
  upload: Upload,
  { id, file }: QueuedLapFile,
  trackId: TrackId,
  signal: AbortSignal,
): Promise<void> {
  upload.change(changeFile(id, { status: 'uploading', detail: 'Timing the laps…' }));
  try {
    const found = await analyzeLapFile(upload, file, { trackId, signal });
    upload.change(showTiming(trackId, { state: 'known', timing: getTimingOn(found, trackId) }));
    upload.change(changeFile(id, describeCheck(found, trackId)));
  } catch (error) {
    if (signal.aborted) return;
    upload.change(changeFile(id, makeReady({ id, file })));
    const message = describeFailure(error, 'The laps could not be timed on this track.');
    upload.change(showTiming(trackId, { state: 'failed', message }));
  }
}

const OF_NO_TRACK = 'No known track fits it for sure: process it alone, and choose or add its track.';

/** Shows in the row of a file what it holds, on the chosen track or on the one that it was driven on. Where the server cannot say it, the row stays as it was. */
async function checkFile(
  upload: Upload,
  queued: QueuedLapFile,
  trackId: TrackId,
  signal: AbortSignal,
): Promise<void> {
  const { id, file } = queued;
  if (signal.aborted || !upload.state.queue.some((one) => one.id === id)) return;
  const change = (change: LapFileChange) => {
    if (!signal.aborted) upload.change(changeFile(id, change));
  };
  change({ status: 'uploading', detail: 'Timing the laps…' });
  const onProgress = (detail: string) => change({ detail });
  const analyze = (options: { trackId?: TrackId }) =>
    untilConnected(() => analyzeLapFile(upload, file, { ...options, signal, onProgress }), {
      signal,
      onWaiting: () => onProgress(CONNECTION_LOST),
    });
  try {
    const found = await analyze({});
    const matchedTrackId = findOwnTrack(found, trackId);
    if (matchedTrackId !== null) change({ ...describeCheck(found, matchedTrackId), matchedTrackId });
    else if (findTiming(found, trackId) !== null) change(describeCheck(found, trackId));
    else if (!found.hasGps) change({ ...describeCheck(found, trackId), isUnreadable: true });
    else {
      const checked = describeCheck(await analyze({ trackId }), trackId);
      const isOfNoTrack = checked.status === 'error' && !isOfKnownTrack(found);
      change(isOfNoTrack ? { ...checked, detail: `${checked.detail} ${OF_NO_TRACK}` } : checked);
    }
  } catch (error) {
    change(makeReady(queued));
    if (!signal.aborted && !(error instanceof ApiError)) throw error;
  }
}

/** Returns the server's message about a failure, or `fallback` without one. */
export function describeFailure(error: unknown, fallback: string): string {
  return formatSentence(describeError(error, fallback));
}
