import { DAY_MS } from '#engine/durations.ts';
import type { Waiting } from '#contract/moderation/evidence.ts';
import { mayAdminister } from '#contract/people/labels.ts';
import { useQuery } from '@tanstack/react-query';
import { useCurrentUser } from '#web/api/current-user.ts';
import { useWaiting, waitingQuery } from '#web/api/waiting.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatCount, pluralize } from '#web/ui/format.ts';
import { FailedState } from '#web/ui/state-message.tsx';
import list from '#web/ui/row-list.module.css';
import styles from './what-waits.module.css';

type Kind = keyof Waiting['since'];

const KINDS: Record<Kind, { one: string; many: string; action: string; href: string }> = {
  flags: { one: 'Flagged lap', many: 'Flagged laps', action: 'Decide', href: '/club/moderation?view=flags' },
  appeals: { one: 'Appeal', many: 'Appeals', action: 'Read', href: '/club/moderation?view=appeals' },
  tracks: {
    one: 'Proposed track',
    many: 'Proposed tracks',
    action: 'Review',
    href: '/admin/import-tracks?tab=proposals',
  },
  cars: { one: 'Proposed car', many: 'Proposed cars', action: 'Review', href: '/admin/apex-import?tab=cars' },
};

/** Shows how much waits for a decision of the viewer, since when, and where it is made. */
export function WhatWaits() {
  const { user } = useCurrentUser();
  const { data, dataUpdatedAt, isError, refetch } = useQuery(waitingQuery);
  const waiting = useWaiting();
  const hasFailed = isError && !data;
  const kinds: Kind[] = mayAdminister(user)
    ? ['flags', 'appeals', 'tracks', 'cars']
    : ['flags', 'appeals', 'tracks'];
  return (
    <section className={list['section']} aria-labelledby="what-waits">
      <div className={list['head']}>
        <h2 id="what-waits">What waits</h2>
        {!hasFailed && <span>{formatCount(waiting.total)} in all</span>}
      </div>
      {hasFailed ? (
        <Card>
          <FailedState title="What waits could not be loaded." onRetry={() => void refetch()} />
        </Card>
      ) : (
        <ul className={classNames(list['rows'], styles['rows'])}>
          {kinds.map((kind) => {
            const { one, many, action, href } = KINDS[kind];
            const count = waiting[kind];
            const name = count === 1 ? one : many;
            return (
              <li key={kind} data-empty={count === 0 || undefined}>
                <span className={styles['count']}>{formatCount(count)}</span>
                <div>
                  <b>{name}</b>
                  <p>{describeSince(waiting.since[kind], dataUpdatedAt)}</p>
                </div>
                {count > 0 && (
                  <ButtonLink size="small" href={href} aria-label={`${action}: ${name}`}>
                    {action}
                  </ButtonLink>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

function describeSince(iso: string | null, nowMs: number): string {
  if (iso === null) return 'Nothing waits.';
  const days = Math.floor((nowMs - Date.parse(iso)) / DAY_MS);
  return days < 1 ? 'The oldest since today' : `The oldest since ${pluralize(days, 'day')}`;
}
