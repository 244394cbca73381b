import { type QueryClient, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { TrackId } from '#contract/ids.ts';
import type { ListedRaceEvent } from '#contract/race-events/schemas.ts';
import { DAY_MS } from '#engine/durations.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { eventHref } from '#web/ui/page-hrefs.ts';
import { describeState, formatDays } from './describe-event.ts';
import { EventCards } from './event-cards.tsx';
import { eventsNowQuery, prefetchCards, trackEventsQuery } from './event-queries.ts';
import styles from './events-now.module.css';

/** Fetches what the home page shows of events. */
export function prefetchEventsNow(queryClient: QueryClient): Promise<void> {
  return prefetchCards(queryClient, [eventsNowQuery]);
}

const RECENT_DAYS = 30;

type EventsNowProps = { className?: string | undefined; headClassName?: string | undefined };

/** Shows on the home page the events that are open or running; nothing without any. */
export function EventsNow({ className, headClassName }: EventsNowProps) {
  const events = useQuery(eventsNowQuery).data?.events ?? [];
  const shown = events.filter(({ state }) => state === 'open' || state === 'running');
  if (shown.length === 0) return null;
  return (
    <section className={className} aria-labelledby="events">
      <div className={headClassName}>
        <h2 id="events">Events</h2>
        <ButtonLink href="/events">View All Events</ButtonLink>
      </div>
      <EventCards events={shown} />
    </section>
  );
}

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
