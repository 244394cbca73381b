import type { QueryClient } from '@tanstack/react-query';
import { callApi, fetchJson, type Answer } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';
import {
  readApexImport,
  readApexTracks,
  type ApexAnswer,
  type ApexImport,
  type ApexImportAnswer,
  type ApexTrack,
} from './apex-tracks.ts';
import {
  readCarImport,
  readCarPreview,
  type CarImport,
  type CarImportAnswer,
  type CarPreview,
  type CarPreviewAnswer,
  type NewCar,
} from './car-import.ts';
import type { RawTrack } from './track-review.ts';
import { readTrackResults, type TrackResult, type TrackResultAnswer } from './track-results.ts';

// Only what the specification names is certain in an answer, so the answers are typed as that and read with care.

/** Has a file of tracks read. Nothing is stored. */
export function parseTracks(file: File): Promise<readonly RawTrack[]> {
  return sendFile('/api/admin/parse-tracks', file);
}

/** Adds tracks to the library. Gives a result per track, in their order. */
export async function createTracks(tracks: readonly RawTrack[]): Promise<TrackResult[]> {
  const answer: readonly TrackResultAnswer[] = await callApi('POST /api/admin/create-tracks', {
    body: { tracks: [...tracks] },
  });
  return readTrackResults(answer, tracks);
}

/** Copies the apex tracks to the library. */
export async function migrateTracks(): Promise<Migration> {
  return readMigration(await callApi('POST /api/apex/migrate-to-main'));
}

/** Has a file of tracks with their traps read. Nothing is stored. */
export async function parseApexTracks(file: File): Promise<ApexTrack[]> {
  return readApexTracks(await sendFile<ApexAnswer>('/api/apex/parse', file));
}

/** Keeps apex tracks until they are migrated. */
export async function importApexTracks(tracks: readonly ApexTrack[]): Promise<ApexImport> {
  const answer: ApexImportAnswer = await callApi('POST /api/apex/import', {
    body: { tracks: tracks.map(({ told }) => told) },
  });
  return readApexImport(answer);
}

/** Has a CSV file of cars read and compared with the library. Nothing is stored. */
export async function previewCars(file: File): Promise<CarPreview> {
  return readCarPreview(await sendFile<CarPreviewAnswer>('/api/admin/car-library/upload-preview', file));
}

/** Adds cars to the library. */
export async function importCars(cars: readonly NewCar[]): Promise<CarImport> {
  const answer: CarImportAnswer = await callApi('POST /api/admin/car-library/import', {
    body: { cars: [...cars] },
  });
  return readCarImport(answer);
}

/** Every list that may hold new tracks. */
export async function refreshTracks(queryClient: QueryClient): Promise<void> {
  await refresh(['tracks'], queryClient);
}

/** Every list of makes, models and search results. */
export async function refreshCarLibrary(queryClient: QueryClient): Promise<void> {
  await refresh(['car-library'], queryClient);
}

async function sendFile<T>(path: string, file: File): Promise<T> {
  const form = new FormData();
  form.append('file', file);
  return fetchJson<T>(path, { method: 'POST', body: form });
}

type Answered = Answer<'POST /api/apex/migrate-to-main'>;

/** The answer to a migration as any server may give it. */
export type MigrationAnswer = Pick<Answered, 'success' | 'error'> & {
  summary?: Partial<Answered['summary']>;
  warnings?: readonly string[];
};

/** What a migration came to; counts are null where the server does not tell them. */
export type Migration = {
  success: boolean;
  migrated: number | null;
  existing: number | null;
  skipped: number | null;
  warnings: readonly string[];
  error: string | null;
};

/** Reads the answer to a migration. */
export function readMigration({ success, summary, warnings, error }: MigrationAnswer): Migration {
  return {
    success,
    migrated: summary?.migrated ?? null,
    existing: summary?.existing ?? null,
    skipped: summary?.skipped ?? null,
    warnings: warnings ?? [],
    error: error ?? null,
  };
}
