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
import type { UploadDetails } from './submit-checks.ts';

/** The cars that an upload can be driven in. */
export const garageQuery = apiQuery('GET /api/user-cars');

/** The tyre categories, in the order in which they are shown. */
export const tireCompoundsQuery = apiQuery('GET /api/laps/tire-compounds');

/** A car of the garage, as far as the form needs it. */
export type UploadCar = Pick<GarageCar, 'id' | 'modelDisplay' | 'nickname' | 'status'>;

/** Reads, matches and times a lap file on the server, on `trackId` alone where it is given. Nothing is stored. */
export async function analyzeLapFile(
  file: File,
  { trackId, signal }: { trackId?: string; signal: AbortSignal },
): Promise<GpsAnalysis> {
  const form = new FormData();
  // Fields go before the file, so that the server knows them when the file begins.
  if (trackId !== undefined) form.append('trackId', trackId);
  form.append('file', file);
  return readAnalysis(
    await fetchJson<AnalysisAnswer>('/api/analyze-gps', { method: 'POST', body: form, signal }),
  );
}

/** Uploads lap files of one track. */
export async function sendLapFiles(
  files: readonly File[],
  upload: UploadDetails & { trackId: string },
  options: SendOptions,
): Promise<UploadOutcome> {
  const form = new FormData();
  form.append('trackId', upload.trackId);
  form.append('userCarId', upload.userCarId);
  form.append('tireCompound', upload.tireCompound);
  form.append('videoUrl', upload.videoUrl.trim());
  for (const file of files) form.append('files', file);
  // The server has checked its answer against the contract, so it is not checked again.
  const text = await sendWithProgress({ method: 'POST', url: '/api/upload', body: form }, options);
  const answer: UploadAnswer = JSON.parse(text);
  return readUploadAnswer(answer, files);
}

type DescribedTrack = Pick<
  Track,
  'name' | 'configuration' | 'location' | 'country' | 'startFinishLine' | 'finishLine' | 'sectors'
>;

/** Adds a track that the library lacks; the lap file shows its length and outline. */
export async function proposeTrack(
  file: File,
  track: DescribedTrack,
  queryClient: QueryClient,
): Promise<Track> {
  const form = new FormData();
  form.append('track', JSON.stringify(track));
  form.append('file', file);
  const added = await callApi('POST /api/tracks/proposals', { form });
  await refresh(['tracks'], queryClient);
  return added;
}
