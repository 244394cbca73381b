import { Link } from 'wouter';
import type { ListedRaceEvent } from '#contract/race-events/schemas.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { pluralize } from '#web/ui/format.ts';
import { eventHref } from '#web/ui/page-hrefs.ts';
import common from '#web/ui/common.module.css';
import { describeState, formatDays, STATE_TONES } from './describe-event.ts';
import { EventOutline } from './event-outline.tsx';
import styles from './event-cards.module.css';

/** Shows events side by side, as many as fit. */
export function EventCards({ events }: { events: readonly ListedRaceEvent[] }) {
  return (
    <ul className={styles['grid']}>
      {events.map((event) => (
        <EventCard key={event.id} event={event} />
      ))}
    </ul>
  );
}

function EventCard({ event }: { event: ListedRaceEvent }) {
  const { id, name, courses, entryCount } = event;
  const [first] = courses;
  return (
    <Card as="li" padded={false} className={styles['card']}>
      <div className={styles['picture']}>{first && <EventOutline trackId={first.trackId} />}</div>
      <h3>
        <Link href={eventHref(id)}>{name}</Link>
      </h3>
      <p className={common['note']}>
        <Facts facts={[formatDays(event), ...new Set(courses.map(({ name }) => name))]} />
      </p>
      <p className={styles['foot']}>
        <EventState event={event} />
        <span>{pluralize(entryCount, 'entry', 'entries')}</span>
      </p>
    </Card>
  );
}

/** Shows the state of an event as a badge. */
export function EventState({ event }: { event: Parameters<typeof describeState>[0] }) {
  return <Badge tone={STATE_TONES[event.state]}>{describeState(event)}</Badge>;
}
