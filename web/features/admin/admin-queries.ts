import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi, fetchJson, type Answer } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';
import {
  readApexImport,
  readApexTracks,
  readCarImport,
  readCarPreview,
  readMigration,
  readTrackResults,
  type ApexAnswer,
  type ApexImport,
  type ApexTrack,
  type CarImport,
  type CarPreview,
  type CarPreviewAnswer,
  type Migration,
  type NewCar,
  type RawTrack,
  type TrackResult,
} from '#web/api/specified-answers/admin.ts';

/** Parses a file of tracks on the server. Nothing is stored. */
export function parseTracks(file: File): Promise<readonly RawTrack[]> {
  return sendFile('/api/admin/parse-tracks', file);
}

/** Adds tracks to the library. Returns a result per track, in their order. */
export async function createTracks(tracks: readonly RawTrack[]): Promise<TrackResult[]> {
  const answer = await callApi('POST /api/admin/create-tracks', { body: { tracks: [...tracks] } });
  return readTrackResults(answer, tracks);
}

export type ImportedTrackSet = Answer<'POST /api/admin/import-track-set'>;

/** Adds what the library lacks of a set of tracks. */
export function importTrackSet(file: File): Promise<ImportedTrackSet> {
  return sendFile('/api/admin/import-track-set', file);
}

/** Copies the apex tracks to the library. */
export async function migrateTracks(): Promise<Migration> {
  return readMigration(await callApi('POST /api/apex/migrate-to-main'));
}

/** Parses a file of tracks with their traps. Nothing is stored. */
export async function parseApexTracks(file: File): Promise<ApexTrack[]> {
  return readApexTracks(await sendFile<ApexAnswer>('/api/apex/parse', file));
}

/** Stores apex tracks until they are migrated. */
export async function importApexTracks(tracks: readonly ApexTrack[]): Promise<ApexImport> {
  const answer = await callApi('POST /api/apex/import', {
    body: { tracks: tracks.map(({ raw }) => raw) },
  });
  return readApexImport(answer);
}

const PROGRESS_POLL_MS = 500;

/** How far the import of a track set has come, asked for again and again. */
export const importProgressQuery = queryOptions({
  ...apiQuery('GET /api/admin/import-track-set'),
  staleTime: 0,
  gcTime: 0,
  refetchInterval: PROGRESS_POLL_MS,
});

/** Where all tracks are downloaded, in the format that imports read. */
export const TRACKS_EXPORT_ADDRESS = '/api/admin/tracks/export';

/** Compares a CSV file of cars with the library. Nothing is stored. */
export async function previewCars(file: File): Promise<CarPreview> {
  return readCarPreview(await sendFile<CarPreviewAnswer>('/api/admin/car-library/upload-preview', file));
}

/** Adds cars to the library. */
export async function importCars(cars: readonly NewCar[]): Promise<CarImport> {
  const answer = await callApi('POST /api/admin/car-library/import', {
    body: { cars: [...cars] },
  });
  return readCarImport(answer);
}

/** Fetches every list that may hold new tracks again. */
export async function refreshTracks(queryClient: QueryClient): Promise<void> {
  await refresh(['tracks'], queryClient);
}

/** Fetches every list of makes, models and search results again. */
export async function refreshCarLibrary(queryClient: QueryClient): Promise<void> {
  await refresh(['car-library'], queryClient);
}

async function sendFile<T>(path: string, file: File): Promise<T> {
  const form = new FormData();
  form.append('file', file);
  return fetchJson<T>(path, { method: 'POST', body: form });
}
