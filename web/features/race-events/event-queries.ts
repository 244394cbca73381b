import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import type { RaceEventId, TrackId } from '#contract/ids.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { Answer, RequestFor } from '#web/api/call-api.ts';
import { pageRows } from '#web/ui/pager.tsx';
import { LIST_STALE_MS } from './describe-event.ts';
import { outlineQuery } from './event-outline.tsx';

/** The page follows an event while its results change. */
const FOLLOW_EVERY_MS = 15_000;

export const eventQuery = (eventId: RaceEventId) => ({
  ...apiQuery('GET /api/events/:eventId', { params: { eventId } }),
  refetchInterval: ({ state }: { state: { data?: { state: string } | undefined } }) =>
    followEvery(state.data?.state),
});

/** Returns how often the page asks again: while there may be new runs. */
function followEvery(state: string | undefined): number | false {
  return state === 'running' || state === 'provisional' ? FOLLOW_EVERY_MS : false;
}

/** Fetches an event, and then the outline of its first course. */
export async function prefetchEvent(queryClient: QueryClient, eventId: RaceEventId): Promise<void> {
  await queryClient.prefetchQuery(eventQuery(eventId));
  const event = queryClient.getQueryData(eventQuery(eventId).queryKey);
  if (event) await prefetchOutlines(queryClient, [event]);
}

/** Fetches lists of events, and then the outlines on their cards. */
export async function prefetchCards(
  queryClient: QueryClient,
  queries: readonly ReturnType<typeof listQuery>[],
): Promise<void> {
  await Promise.all(queries.map((query) => queryClient.prefetchQuery(query)));
  const events = queries.flatMap(({ queryKey }) => queryClient.getQueryData(queryKey)?.events ?? []);
  await prefetchOutlines(queryClient, events);
}

async function prefetchOutlines(
  queryClient: QueryClient,
  events: readonly { courses: readonly { trackId: TrackId }[] }[],
): Promise<void> {
  const trackIds = new Set(
    events.flatMap(({ courses }) => courses.slice(0, 1).map(({ trackId }) => trackId)),
  );
  await Promise.all([...trackIds].map((trackId) => queryClient.prefetchQuery(outlineQuery(trackId))));
}

type Listed = NonNullable<RequestFor<'GET /api/events'>['query']>;

const listQuery = (query: Listed) => ({
  ...apiQuery('GET /api/events', { query }),
  staleTime: LIST_STALE_MS,
  placeholderData: keepPreviousData<Answer<'GET /api/events'>>,
});

/** Returns one page of the events of a time: those that run or are to come, or those of before. */
export const eventsQuery = (when: 'current' | 'past', page = 0) => listQuery({ when, ...pageRows(page) });

/** Returns one page of all events. */
export const allEventsQuery = (page: number) => listQuery(pageRows(page));

/** The home page shows so many events. */
const SHOWN_MAX = 3;

/** Returns the events that the home page shows. */
export const eventsNowQuery = listQuery({ when: 'current', limit: SHOWN_MAX, offset: 0 });
