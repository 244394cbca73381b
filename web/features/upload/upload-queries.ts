import type { CourseId, TrackId } from '#contract/ids.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import type { Analysis } from '#contract/upload/schemas.ts';
import { apiQuery } from '#web/api/api-query.ts';
// oxlint-disable-next-line no-restricted-imports -- An analysis changes nothing, and can be stopped.
import { fetchJson } from '#web/api/call-api.ts';
import type { Send } from '#web/api/refresh.ts';
import { sendWithProgress, type SendOptions } from '#web/api/send-with-progress.ts';
import { cacheToken } from './lap-file-cache.ts';
import { PARTS_FROM_BYTES, sendInParts } from './send-in-parts.ts';
import { readAnalysis, type GpsAnalysis, type UploadOutcome } from './upload-answers.ts';
import type { UploadCall } from './upload-groups.ts';
import type { Upload } from './upload-store.ts';

export const garageQuery = apiQuery('GET /api/user-cars');

/** Fetches the tyre categories, in the order in which they are shown. */
export const tireCompoundsQuery = apiQuery('GET /api/laps/tire-compounds');

type AnalyzeOptions = {
  trackId?: TrackId;
  signal: AbortSignal;
  /** Gets a sentence about how much of a large file has been sent. */
  onProgress?: (message: string) => void;
};

/** Reads, matches and times a lap file on the server, only on `trackId` where it is given. A large file is sent in parts. */
export async function analyzeLapFile(
  upload: Upload,
  file: File,
  { trackId, signal, onProgress = () => undefined }: AnalyzeOptions,
): Promise<GpsAnalysis> {
  const setToken = async (token: string | undefined) => {
    upload.tokens.set(file, token);
    await cacheToken(file, token);
  };
  if (file.size >= PARTS_FROM_BYTES && !upload.tokens.has(file)) {
    await setToken(await sendInParts(file, { signal, onProgress }));
  }
  const answer = await upload.tokens.send([file], ([part = file]) => {
    const form = new FormData();
    // Fields go before the file, so that the server knows them when the file begins.
    if (trackId !== undefined) form.append('trackId', trackId);
    form.append('file', part);
    return fetchJson<Analysis>('/api/analyze-gps', { method: 'POST', body: form, signal });
  });
  await setToken(answer.fileToken);
  return readAnalysis(answer);
}

export async function sendLapFiles(
  upload: Upload,
  { trackId, files: queued, details }: UploadCall,
  options: SendOptions,
): Promise<UploadOutcome> {
  const files = queued.map(({ file }) => file);
  const text = await upload.tokens.send(files, (parts) => {
    const form = new FormData();
    form.append('trackId', trackId);
    form.append('userCarId', details.userCarId);
    form.append('tireCompound', details.tireCompound);
    form.append('videoUrl', details.videoUrl.trim());
    for (const part of parts) form.append('files', part);
    return sendWithProgress({ method: 'POST', url: '/api/upload', body: form }, options);
  });
  // The server has checked its answer against the contract, so it is not checked again.
  const outcome: UploadOutcome = JSON.parse(text);
  return outcome;
}

type DescribedTrack = Pick<
  Track,
  'name' | 'configuration' | 'location' | 'country' | 'startFinishLine' | 'finishLine' | 'sectors'
>;

/** Makes a track of a known course, with the line and the names that the driver confirms; the lap files show the line. */
export async function confirmCourse(
  send: Send,
  upload: Upload,
  files: readonly File[],
  { courseId, track }: { courseId: CourseId; track: DescribedTrack },
): Promise<Track> {
  const { startFinishLine, sectors, name, configuration, location, country } = track;
  const confirmed = {
    startFinishLine,
    sectors,
    name,
    configuration,
    ...(location !== null && { location }),
    ...(country !== null && { country }),
  };
  return upload.tokens.send(files, (parts) => {
    const form = new FormData();
    form.append('track', JSON.stringify(confirmed));
    for (const part of parts) form.append('file', part);
    return send('POST /api/courses/:courseId/track', { params: { courseId }, form });
  });
}

/** Adds a track that the library lacks; the first lap file shows its length and outline. */
export async function proposeTrack(
  send: Send,
  upload: Upload,
  files: readonly File[],
  track: DescribedTrack,
): Promise<Track> {
  return upload.tokens.send(files, (parts) => {
    const form = new FormData();
    form.append('track', JSON.stringify(track));
    for (const part of parts) form.append('file', part);
    return send('POST /api/tracks/proposals', { form });
  });
}
