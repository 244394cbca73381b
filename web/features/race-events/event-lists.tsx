import { useQuery, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mayModerate } from '#contract/people/labels.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { pageFrom, Pager } from '#web/ui/pager.tsx';
import { FlagPicture } from '#web/ui/picture.tsx';
import { EmptyState, FailedState, LoadingState } from '#web/ui/state-message.tsx';
import { EventCards } from './event-cards.tsx';
import { eventsQuery, prefetchCards } from './event-queries.ts';
import styles from './event-lists.module.css';

export function prefetchEventLists(queryClient: QueryClient): Promise<void> {
  return prefetchCards(queryClient, [eventsQuery('current'), eventsQuery('past')]);
}

/** Shows the events that run or are to come, and those of before. */
export function EventLists() {
  const { user } = useCurrentUser();
  const [page, setPage] = useState(0);
  const current = useQuery(eventsQuery('current'));
  const past = useQuery(eventsQuery('past', page));
  if ((current.isError && !current.data) || (past.isError && !past.data))
    return (
      <FailedState
        title="The events could not be loaded."
        onRetry={() => void Promise.all([current.refetch(), past.refetch()])}
      />
    );
  if (!current.data || !past.data) return <LoadingState>Loading events...</LoadingState>;
  if (current.data.total + past.data.total === 0)
    return (
      <EmptyState
        title="No events yet"
        picture={<FlagPicture />}
        actions={mayModerate(user) && <ButtonLink href="/club/events">Events of the club</ButtonLink>}
      >
        Events of the club are listed here once entries are open.
      </EmptyState>
    );
  return (
    <div className={styles['lists']}>
      {current.data.events.length > 0 && (
        <section className={styles['list']} aria-label="Now and next">
          <h2>Now and next</h2>
          <EventCards events={current.data.events} />
        </section>
      )}
      {past.data.total > 0 && (
        <section className={styles['list']} aria-label="Past">
          <h2>Past</h2>
          <EventCards events={past.data.events} />
          <Pager
            noun="events"
            page={pageFrom(past.data.events, page, past.data.total)}
            total={past.data.total}
            onPage={setPage}
          />
        </section>
      )}
    </div>
  );
}
