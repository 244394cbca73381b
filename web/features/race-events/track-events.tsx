import { type QueryClient, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { TrackId } from '#contract/ids.ts';
import type { ListedRaceEvent } from '#contract/race-events/schemas.ts';
import { DAY_MS } from '#engine/durations.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { Facts } from '#web/ui/facts.tsx';
import { eventHref } from '#web/ui/page-hrefs.ts';
import { describeState, formatDays, LIST_STALE_MS } from './describe-event.ts';
import styles from './track-events.module.css';

const NAMED_MAX = 3;
const RECENT_DAYS = 30;

const trackEventsQuery = (trackId: TrackId) => ({
  ...apiQuery('GET /api/events', { query: { track: trackId, limit: NAMED_MAX, offset: 0 } }),
  staleTime: LIST_STALE_MS,
});

export function prefetchTrackEvents(queryClient: QueryClient, trackId: TrackId): Promise<void> {
  return queryClient.prefetchQuery(trackEventsQuery(trackId));
}

/** Leads from a track to its events that are open, running or provisional, or were lately, a line each. */
export function TrackEvents({ trackId }: { trackId: TrackId }) {
  const { data, dataUpdatedAt } = useQuery(trackEventsQuery(trackId));
  const shown = (data?.events ?? []).filter((event) => isOfInterest(event, dataUpdatedAt));
  if (shown.length === 0) return null;
  return (
    <ul className={styles['lines']} aria-label="Events on this track">
      {shown.map((event) => (
        <li key={event.id}>
          <Link href={eventHref(event.id)}>{event.name}</Link>
          <span>
            <Facts facts={[formatDays(event), describeState(event)]} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Returns whether an event is current, or was within the last 30 days. */
function isOfInterest({ state, lastDay }: ListedRaceEvent, nowMs: number): boolean {
  if (state === 'draft') return false;
  return state !== 'official' || Date.parse(lastDay) > nowMs - RECENT_DAYS * DAY_MS;
}
