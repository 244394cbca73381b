import { useQuery, type QueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { DAY_MS } from '#engine/durations.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { Card } from '#web/ui/card.tsx';
import { CountRow } from '#web/ui/count-row.tsx';
import { formatCount, formatShortDate } from '#web/ui/format.ts';
import list from '#web/ui/row-list.module.css';
import { FailedState } from '#web/ui/state-message.tsx';
import styles from './what-was-driven.module.css';

const activityQuery = { ...apiQuery('GET /api/admin/activity'), staleTime: 0 };

export function prefetchActivity(queryClient: QueryClient): Promise<void> {
  return queryClient.prefetchQuery(activityQuery);
}

/** Shows how many laps were driven each week, and who drove what in the last one. */
export function WhatWasDriven() {
  const { data, dataUpdatedAt, isError, refetch } = useQuery(activityQuery);
  if (!data && !isError) return null;
  return (
    <section className={list['section']} aria-labelledby="what-was-driven">
      <div className={list['head']}>
        <h2 id="what-was-driven">What was driven</h2>
        <Link href="/leaderboards">Leaderboards</Link>
      </div>
      <Card>
        {data ? (
          <>
            <CountRow
              counts={{
                'Laps in 7 days': data.laps.at(-1) ?? 0,
                Drivers: data.drivers,
                Tracks: data.tracks,
                Records: data.records,
              }}
            />
            <WeekBars laps={data.laps} endsAtMs={dataUpdatedAt} />
          </>
        ) : (
          <FailedState title="What was driven could not be loaded." onRetry={() => void refetch()} />
        )}
      </Card>
    </section>
  );
}

/** Draws a bar for each week, with the number above the last one and the highest. */
function WeekBars({ laps, endsAtMs }: { laps: readonly number[]; endsAtMs: number }) {
  const most = Math.max(1, ...laps);
  const named = new Set([laps.indexOf(most), laps.length - 1]);
  const startsAt = new Date(endsAtMs - 7 * DAY_MS * laps.length).toISOString();
  return (
    <>
      <ol className={styles['bars']} aria-label={`Laps a week, the last ${laps.length}`}>
        {laps.map((count, week) => (
          // oxlint-disable-next-line react/no-array-index-key -- A week has no other name.
          <li key={week} style={{ blockSize: `${(100 * count) / most}%` }}>
            <small className={named.has(week) ? undefined : 'visually-hidden'}>{formatCount(count)}</small>
          </li>
        ))}
      </ol>
      <p className={styles['period']}>
        <span>Since {formatShortDate(startsAt)}, laps a week</span>
        <span>Today</span>
      </p>
    </>
  );
}
