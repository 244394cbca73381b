import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiQuery } from '#web/api/api-query.ts';
import type { Answer } from '#web/api/call-api.ts';
import type { LibraryStatus } from '#web/ui/admin-table.tsx';
import { pageRows } from '#web/ui/pager.tsx';

export type AdministeredTrack = Answer<'GET /api/admin/tracks'>['tracks'][number];
export type AdministeredCar = Answer<'GET /api/admin/cars'>['cars'][number];
export type ProposedTrack = Answer<'GET /api/admin/track-proposals'>['proposals'][number];

/** A page of a table of the library, with the number of rows on all pages. */
export type LibraryPage<Row> = { rows: readonly Row[]; total: number };

/** Returns the query of a page of the tracks that match `q` and the status; an empty value matches all. */
export const administeredTracksQuery = (q: string, status: LibraryStatus | '', page: number) => ({
  ...apiQuery('GET /api/admin/tracks', { query: { q, ...(status !== '' && { status }), ...pageRows(page) } }),
  select: ({ tracks, total }: Answer<'GET /api/admin/tracks'>) => ({ rows: tracks, total }),
  placeholderData: keepPreviousData,
  // Others upload laps meanwhile.
  staleTime: 0,
});

export const proposedTracksQuery = (page: number) => ({
  ...apiQuery('GET /api/admin/track-proposals', { query: pageRows(page) }),
  placeholderData: keepPreviousData,
  // Others propose tracks meanwhile.
  staleTime: 0,
});

const RETIMING_POLL_MS = 2_000;

export type Retiming = Answer<'GET /api/admin/retimings'>['retimings'][number];

/** The query of tracks whose laps are being retimed; it polls as long as there are any. */
export const retimingsQuery = queryOptions({
  ...apiQuery('GET /api/admin/retimings'),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.retimings.length ? RETIMING_POLL_MS : false),
});

/** Returns the query of a page of the cars that match `q` and the status; an empty value matches all. */
export const administeredCarsQuery = (q: string, status: LibraryStatus | '', page: number) => ({
  ...apiQuery('GET /api/admin/cars', { query: { q, ...(status !== '' && { status }), ...pageRows(page) } }),
  select: ({ cars, total }: Answer<'GET /api/admin/cars'>) => ({ rows: cars, total }),
  placeholderData: keepPreviousData,
  staleTime: 0,
});

/** Returns the query of cars whose names are most similar to `text`. The last results stay while new ones load. */
export const similarCarsQuery = (text: string) => ({
  ...apiQuery('GET /api/car-library/similar', { query: { q: text } }),
  placeholderData: keepPreviousData,
  staleTime: 0,
});

/** The fields of a track that an administrator edits in a form. */
export type EditedTrack = Pick<
  AdministeredTrack,
  'id' | 'name' | 'location' | 'configuration' | 'country' | 'status' | 'lengthMeters' | 'radiusMeters'
>;

export type TrackChange = Partial<Omit<EditedTrack, 'id'>>;
