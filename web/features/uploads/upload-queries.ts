import type { QueryClient } from '@tanstack/react-query';
import type { Track } from '#contract/tracks.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi, fetchJson } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';
import { sendWithProgress, type SendOptions } from '#web/api/send-with-progress.ts';
import type { GarageCar } from '#web/api/specified-answers/profiles.ts';
import {
  type AnalysisAnswer,
  type GpsAnalysis,
  readAnalysis,
  readUploadAnswer,
  type UploadAnswer,
  type UploadOutcome,
} from '#web/api/specified-answers/uploads.ts';
import { keepToken } from './kept-lap-files.ts';
import { PARTS_FROM_BYTES, sendInParts } from './send-in-parts.ts';
import { hasToken, rememberToken, sendFiles } from './sent-files.ts';
import type { UploadDetails } from './submit-checks.ts';

/** The cars that an upload can be driven in. */
export const garageQuery = apiQuery('GET /api/user-cars');

/** The tyre categories, in the order in which they are shown. */
export const tireCompoundsQuery = apiQuery('GET /api/laps/tire-compounds');

/** A car of the garage, as far as the form needs it. */
export type UploadCar = Pick<GarageCar, 'id' | 'modelDisplay' | 'nickname' | 'status'>;

type AnalyzeOptions = {
  trackId?: string;
  signal: AbortSignal;
  /** Gets in words how much of a large file has been sent. */
  onProgress?: (words: string) => void;
};

/** Reads, matches and times a lap file on the server, on `trackId` alone where it is given. A large file is sent in parts. */
export async function analyzeLapFile(
  file: File,
  { trackId, signal, onProgress = () => undefined }: AnalyzeOptions,
): Promise<GpsAnalysis> {
  if (file.size >= PARTS_FROM_BYTES && !hasToken(file)) {
    await noteToken(file, await sendInParts(file, { signal, onProgress }));
  }
  const answer = await sendFiles([file], ([part = file]) => {
    const form = new FormData();
    // Fields go before the file, so that the server knows them when the file begins.
    if (trackId !== undefined) form.append('trackId', trackId);
    form.append('file', part);
    return fetchJson<AnalysisAnswer>('/api/analyze-gps', { method: 'POST', body: form, signal });
  });
  await noteToken(file, answer.fileToken);
  return readAnalysis(answer);
}

async function noteToken(file: File, token: string | undefined): Promise<void> {
  rememberToken(file, token);
  await keepToken(file, token).catch(() => undefined);
}

/** Uploads lap files of one track. */
export async function sendLapFiles(
  files: readonly File[],
  upload: UploadDetails & { trackId: string },
  options: SendOptions,
): Promise<UploadOutcome> {
  const text = await sendFiles(files, (parts) => {
    const form = new FormData();
    form.append('trackId', upload.trackId);
    form.append('userCarId', upload.userCarId);
    form.append('tireCompound', upload.tireCompound);
    form.append('videoUrl', upload.videoUrl.trim());
    for (const part of parts) form.append('files', part);
    return sendWithProgress({ method: 'POST', url: '/api/upload', body: form }, options);
  });
  // The server has checked its answer against the contract, so it is not checked again.
  const answer: UploadAnswer = JSON.parse(text);
  return readUploadAnswer(answer, files);
}

type DescribedTrack = Pick<
  Track,
  'name' | 'configuration' | 'location' | 'country' | 'startFinishLine' | 'finishLine' | 'sectors'
>;

/** Adds a track that the library lacks; the first lap file shows its length and outline. */
export async function proposeTrack(
  files: readonly File[],
  track: DescribedTrack,
  queryClient: QueryClient,
): Promise<Track> {
  const added = await sendFiles(files, (parts) => {
    const form = new FormData();
    form.append('track', JSON.stringify(track));
    for (const part of parts) form.append('file', part);
    return callApi('POST /api/tracks/proposals', { form });
  });
  await refresh(['tracks', 'nearby-tracks'], queryClient);
  return added;
}
