import { queryOptions } from '@tanstack/react-query';
import { apiQuery } from '#web/api/api-query.ts';
import type { Answer } from '#web/api/call-api.ts';

export type ImportedTrackSet = Answer<'POST /api/admin/import-track-set'>;
export type Migration = Answer<'POST /api/apex/migrate-to-main'>;
export type ApexImport = Answer<'POST /api/apex/import'>;
export type CarImport = Answer<'POST /api/admin/car-library/import'>;

const PROGRESS_POLL_MS = 500;

export const importProgressQuery = queryOptions({
  ...apiQuery('GET /api/admin/import-track-set'),
  staleTime: 0,
  gcTime: 0,
  refetchInterval: PROGRESS_POLL_MS,
});

/** The URL at which all tracks are downloaded, in the format that imports read. */
export const TRACKS_EXPORT_URL = '/api/admin/tracks/export';

export function formWithFile(file: File): FormData {
  const form = new FormData();
  form.append('file', file);
  return form;
}
