import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { nameTrack } from '#contract/tracks/labels.ts';
import { refresh } from '#web/api/refresh.ts';
import { formatCount } from '#web/ui/format.ts';
import { Progress } from '#web/ui/progress.tsx';
import { retimingsQuery, type Retiming } from './library-queries.ts';
import styles from '#web/ui/admin.module.css';

/** Shows the progress of retiming after tracks were corrected or merged; renders nothing if no laps wait. */
export function Retimings() {
  const queryClient = useQueryClient();
  const { data } = useQuery(retimingsQuery);
  const count = data?.retimings.length ?? 0;
  const before = useRef(count);
  useEffect(() => {
    // Retimed laps are on other boards, or in another order.
    if (count < before.current) void refresh(['tracks', 'laps', 'admin'], queryClient);
    before.current = count;
  }, [count, queryClient]);
  if (!data || count === 0) return null;
  return (
    <ul className={styles['retimings']} aria-label="Laps that are being timed again">
      {data.retimings.map((retiming) => (
        <li key={retiming.id}>
          {describeRetiming(retiming)}
          <Progress
            label={`Timing laps on ${retiming.name} again`}
            share={retiming.lapsTotal === 0 ? null : retiming.lapsDone / retiming.lapsTotal}
          />
        </li>
      ))}
    </ul>
  );
}

function describeRetiming({ name, configuration, lapsDone, lapsTotal }: Retiming): string {
  const title = nameTrack({ name, configuration });
  return `${title}: ${formatCount(lapsDone)} of ${formatCount(lapsTotal)} laps timed again`;
}
