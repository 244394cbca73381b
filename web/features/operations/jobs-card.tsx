import { useQuery } from '@tanstack/react-query';
import type { JobRun } from '#contract/operations/jobs.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { Badge } from '#web/ui/badge.tsx';
import { formatMoment } from '#web/ui/format.ts';
import { EmptyState, QueryState } from '#web/ui/state-message.tsx';
import { AdminCard } from '#web/ui/admin-card.tsx';
import styles from '#web/ui/card-list.module.css';

const FOLLOW_EVERY_MS = 5_000;

export const jobsQuery = {
  ...apiQuery('GET /api/admin/jobs', { query: { limit: 50 } }),
  staleTime: 0,
  refetchInterval: FOLLOW_EVERY_MS,
};

/** Shows the background jobs that wait, run or have failed, and the last runs. */
export function JobsCard() {
  const query = useQuery(jobsQuery);
  const { data } = query;
  return (
    <AdminCard title="Background Work" lead="What waits, runs or has failed, and the last runs.">
      <QueryState noun="jobs" query={query} />
      {data?.total === 0 && <EmptyState title="Nothing waits">All work is done.</EmptyState>}
      <ul className={styles['list']}>
        {data?.jobs.map(({ id, name, state, attempts, attemptsMax, runAt, lastError }) => (
          <li key={id} className={styles['row']}>
            <div>
              <p className={styles['name']}>{formatJobName(name)}</p>
              <p className={styles['target']}>
                Due {formatMoment(runAt)}, attempt {attempts} of {attemptsMax}
              </p>
              {lastError !== null && <p className={styles['problem']}>{lastError}</p>}
            </div>
            <Badge tone={state === 'failed' ? 'bad' : 'neutral'}>{state}</Badge>
          </li>
        ))}
      </ul>
      {data && data.runs.length > 0 && <Runs runs={data.runs} />}
    </AdminCard>
  );
}

function Runs({ runs }: { runs: JobRun[] }) {
  const failed = runs.filter(({ error }) => error !== null);
  return (
    <>
      {failed.length > 0 && <RunList title={`Failed runs (${failed.length})`} runs={failed} />}
      <RunList title="Last runs" runs={runs.filter(({ error }) => error === null)} />
    </>
  );
}

function RunList({ title, runs }: { title: string; runs: JobRun[] }) {
  return (
    <details className={styles['runs']}>
      <summary>{title}</summary>
      <ul className={styles['list']}>
        {runs.map(({ id, name, endedAt, durationMs, error }) => (
          <li key={id} className={styles['row']}>
            <div>
              <p className={styles['name']}>{formatJobName(name)}</p>
              {error !== null && <p className={styles['problem']}>{error}</p>}
            </div>
            <span className={styles['target']}>
              {formatMoment(endedAt)}, {(durationMs / 1000).toFixed(1)} s
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Formats the name of a job: 'make-backup' gives 'Make backup'. */
function formatJobName(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
