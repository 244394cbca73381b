import { useQuery, type QueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ROLE_LABELS } from '#contract/people/labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Card } from '#web/ui/card.tsx';
import { CountRow } from '#web/ui/count-row.tsx';
import { formatCount, formatInitials, pluralize } from '#web/ui/format.ts';
import { profileHref } from '#web/ui/page-hrefs.ts';
import list from '#web/ui/row-list.module.css';
import { FailedState } from '#web/ui/state-message.tsx';
import { formatLastSeen } from './format-last-seen.ts';
import { invitationsQuery } from './invitations.tsx';
import styles from './seen-last.module.css';

const seenLastQuery = {
  ...apiQuery('GET /api/admin/people', { query: { q: '', limit: 7, offset: 0 } }),
  staleTime: 0,
};

const activityQuery = { ...apiQuery('GET /api/admin/activity'), staleTime: 0 };

export function prefetchSeenLast(queryClient: QueryClient): Promise<void>[] {
  return [queryClient.prefetchQuery(seenLastQuery), queryClient.prefetchQuery(invitationsQuery)];
}

/** Shows how many people there are, and those who were seen last. */
export function SeenLast() {
  const { data, dataUpdatedAt, isError, refetch } = useQuery(seenLastQuery);
  const { data: activity } = useQuery(activityQuery);
  const { data: invited } = useQuery(invitationsQuery);
  if (!data && !isError) return null;
  return (
    <section className={list['section']} aria-labelledby="seen-last">
      <div className={list['head']}>
        <h2 id="seen-last">People</h2>
        {data && <Link href="/club/people">All {formatCount(data.total)}</Link>}
      </div>
      <Card>
        {data ? (
          <>
            <CountRow
              counts={{
                Members: data.total,
                ...(activity && { 'Seen in 7 days': activity.seen }),
                ...(invited && { Invitations: invited.invitations.length }),
              }}
            />
            <ul className={styles['people']}>
              {data.people.map(({ id, name, role, lapCount, lastSeenAt }) => (
                <li key={id}>
                  <Avatar src={null} letters={formatInitials(name)} size={32} />
                  <p>
                    <Link href={profileHref(id)}>{name}</Link>
                    <small>
                      {ROLE_LABELS[role]}, {pluralize(lapCount, 'lap')}
                    </small>
                  </p>
                  <small>{formatLastSeen(lastSeenAt, dataUpdatedAt)}</small>
                </li>
              ))}
            </ul>
          </>
        ) : (
          <FailedState title="The people could not be loaded." onRetry={() => void refetch()} />
        )}
      </Card>
    </section>
  );
}
