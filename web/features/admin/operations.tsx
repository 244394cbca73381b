import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { JobRun } from '#contract/admin-jobs.ts';
import type { Backup } from '#contract/backups.ts';
import { describeError } from '#web/api/api-error.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi } from '#web/api/call-api.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { pluralize } from '#web/ui/format.ts';
import { EmptyState, FailedState, LoadingState } from '#web/ui/state-message.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { AdminCard } from './admin-card.tsx';
import { MailCard } from './mail-card.tsx';
import styles from './operations.module.css';
import { ServerCard } from './server-card.tsx';
import { WebhooksCard } from './webhooks-card.tsx';

const FOLLOW_EVERY_MS = 5_000;

/** Backups with their proofs, mail, and the background work. */
export function Operations() {
  return (
    <div className={styles['cards']}>
      <ServerCard />
      <Backups />
      <MailCard />
      <WebhooksCard />
      <Jobs />
    </div>
  );
}

const backupsQuery = {
  ...apiQuery('GET /api/admin/backups'),
  staleTime: 0,
  refetchInterval: FOLLOW_EVERY_MS,
};

function Backups() {
  const queryClient = useQueryClient();
  const { data, isPending, isError, refetch } = useQuery(backupsQuery);
  const [isStarting, setIsStarting] = useState(false);

  async function start(): Promise<void> {
    setIsStarting(true);
    try {
      await callApi('POST /api/admin/backups');
      showToast({ title: 'Backup Started', description: 'It appears here once it is made and proven.' });
      await queryClient.invalidateQueries({ queryKey: ['api', 'admin'] });
    } catch (error) {
      showToast({ title: 'Backup Failed', description: describeError(error), destructive: true });
    } finally {
      setIsStarting(false);
    }
  }

  return (
    <AdminCard
      title="Backups"
      lead="Every night and by button. Each one is restored into a database that is thrown away, and compared."
    >
      {isPending && <LoadingState>Loading backups...</LoadingState>}
      {isError && <FailedState title="Could not load the backups" onRetry={() => void refetch()} />}
      {data?.target === null && (
        <EmptyState title="No backups are made">
          Set BACKUP_TARGET to a folder on another disk, or to a bucket, and start the server again.
        </EmptyState>
      )}
      {data && data.target !== null && (
        <>
          <div className={styles['bar']}>
            <span className={styles['target']}>Kept in {data.target}</span>
            <Button pending={isStarting} onClick={() => void start()}>
              Back Up Now
            </Button>
          </div>
          {data.backups.length === 0 && <p className={styles['target']}>There is none yet.</p>}
          <ul className={styles['list']}>
            {data.backups.map((backup) => (
              <BackupRow key={backup.name} backup={backup} />
            ))}
          </ul>
        </>
      )}
    </AdminCard>
  );
}

function BackupRow({ backup: { name, createdAt, rows, files, bytes, proof } }: { backup: Backup }) {
  return (
    <li className={styles['row']}>
      <div>
        <p className={styles['name']}>{formatMoment(createdAt)}</p>
        <p className={styles['target']}>
          {pluralize(rows, 'row')}, {pluralize(files, 'file')}, {(bytes / 1_000_000).toFixed(1)} MB
        </p>
        <p className={styles['target']}>
          To restore it on an empty machine: <code>npm run restore -- {name}</code>
        </p>
        {proof?.problem && <p className={styles['problem']}>{proof.problem}</p>}
      </div>
      {proof === null && <Badge>Not proven yet</Badge>}
      {proof?.problem === null && <Badge tone="pb">Restored and compared</Badge>}
      {proof?.problem && <Badge tone="bad">Does not restore</Badge>}
    </li>
  );
}

const jobsQuery = {
  ...apiQuery('GET /api/admin/jobs', { query: { limit: 50 } }),
  staleTime: 0,
  refetchInterval: FOLLOW_EVERY_MS,
};

function Jobs() {
  const { data, isPending, isError, refetch } = useQuery(jobsQuery);
  return (
    <AdminCard title="Background Work" lead="What waits, runs or has failed, and the last runs.">
      {isPending && <LoadingState>Loading jobs...</LoadingState>}
      {isError && <FailedState title="Could not load the jobs" onRetry={() => void refetch()} />}
      {data?.total === 0 && <EmptyState title="Nothing waits">All work is done.</EmptyState>}
      <ul className={styles['list']}>
        {data?.jobs.map(({ id, name, state, attempts, attemptsMax, runAt, lastError }) => (
          <li key={id} className={styles['row']}>
            <div>
              <p className={styles['name']}>{name}</p>
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
              <p className={styles['name']}>{name}</p>
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

/** '2026-06-07 02:23 UTC'. */
function formatMoment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
