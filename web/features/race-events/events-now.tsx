import { type QueryClient, useQuery } from '@tanstack/react-query';
import { ButtonLink } from '#web/ui/button.tsx';
import { EventCards } from './event-cards.tsx';
import { eventsNowQuery, prefetchCards } from './event-queries.ts';

/** Fetches what the home page shows of events. */
export function prefetchEventsNow(queryClient: QueryClient): Promise<void> {
  return prefetchCards(queryClient, [eventsNowQuery]);
}

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
