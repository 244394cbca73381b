import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiQuery } from '#web/api/api-query.ts';
import type { Answer } from '#web/api/call-api.ts';
import { PAGE_ROWS, type RowPage } from './pager.tsx';

export type AdministeredTrack = Answer<'GET /api/admin/tracks'>['tracks'][number];
export type AdministeredCar = Answer<'GET /api/admin/cars'>['cars'][number];
export type ProposedTrack = Answer<'GET /api/admin/track-proposals'>['proposals'][number];
export type AuditEntry = Answer<'GET /api/admin/audit-log'>['entries'][number];
/** Of a track or a car. */
export type LibraryStatus = AdministeredTrack['status'];

const rowsOf = (page: number) => ({ limit: PAGE_ROWS, offset: page * PAGE_ROWS });

/** A page of a table of the library, and how many rows there are on all pages. */
export type LibraryPage<Row> = { rows: readonly Row[]; total: number };

/** A page of the tracks that are found by `q` and have the status, or all. */
export const administeredTracksQuery = (q: string, status: LibraryStatus | '', page: number) => ({
  ...apiQuery('GET /api/admin/tracks', { query: { q, ...(status !== '' && { status }), ...rowsOf(page) } }),
  select: ({ tracks, total }: Answer<'GET /api/admin/tracks'>) => ({ rows: tracks, total }),
  placeholderData: keepPreviousData,
  // Others upload laps meanwhile.
  staleTime: 0,
});

/** A page of the tracks that wait for approval. */
export const proposedTracksQuery = (page: number) => ({
  ...apiQuery('GET /api/admin/track-proposals', { query: rowsOf(page) }),
  placeholderData: keepPreviousData,
  // Others propose tracks meanwhile.
  staleTime: 0,
});

const RETIMING_POLL_MS = 2_000;

export type Retiming = Answer<'GET /api/admin/retimings'>['retimings'][number];

/** Tracks whose laps are being timed again; asked for again and again as long as there are any. */
export const retimingsQuery = queryOptions({
  ...apiQuery('GET /api/admin/retimings'),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.retimings.length ? RETIMING_POLL_MS : false),
});

/** A page of the cars that are found by `q` and have the status, or all. */
export const administeredCarsQuery = (q: string, status: LibraryStatus | '', page: number) => ({
  ...apiQuery('GET /api/admin/cars', { query: { q, ...(status !== '' && { status }), ...rowsOf(page) } }),
  select: ({ cars, total }: Answer<'GET /api/admin/cars'>) => ({ rows: cars, total }),
  placeholderData: keepPreviousData,
  staleTime: 0,
});

/** Cars whose names come closest to `text`. The last ones stay while new ones are loading. */
export const similarCarsQuery = (text: string) => ({
  ...apiQuery('GET /api/car-library/similar', { query: { q: text } }),
  placeholderData: keepPreviousData,
  staleTime: 0,
});

export type AuditFilter = { action: string; subject: string };

/** A page of the audit log; an empty filter lets everything through. */
export const auditLogQuery = (filter: AuditFilter, page: number) => ({
  ...apiQuery('GET /api/admin/audit-log', { query: { ...filledIn(filter), ...rowsOf(page) } }),
  placeholderData: keepPreviousData,
  staleTime: 0,
});

/** Where all entries that pass the filter are downloaded. */
export function auditExportAddress(filter: AuditFilter, format: 'json' | 'csv' = 'json'): string {
  const ending = format === 'csv' ? '.csv' : '';
  return `/api/admin/audit-log/export${ending}?${new URLSearchParams(filledIn(filter)).toString()}`;
}

function filledIn({ action, subject }: AuditFilter): { action?: string; subject?: string } {
  return { ...(action !== '' && { action }), ...(subject.trim() !== '' && { subject: subject.trim() }) };
}

/** One page of a list that the server has cut. */
export function pageFrom<T>(rows: readonly T[], page: number, total: number): RowPage<T> {
  const first = Math.min(page * PAGE_ROWS + 1, total);
  const last = Math.min(page * PAGE_ROWS + rows.length, total);
  return { rows, page, pageCount: Math.max(1, Math.ceil(total / PAGE_ROWS)), first, last };
}

/** What an administrator edits of a track in a form. */
export type EditedTrack = Pick<
  AdministeredTrack,
  'id' | 'name' | 'location' | 'configuration' | 'country' | 'status' | 'lengthMeters' | 'radiusMeters'
>;

export type TrackChange = Partial<Omit<EditedTrack, 'id'>>;
