import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Backup, RestoreState } from '#contract/operations/backups.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { formatMegabytes, pluralize } from '#web/ui/format.ts';
import { EmptyState, QueryState } from '#web/ui/state-message.tsx';
import { useCall } from '#web/ui/use-call.ts';
import { backupMoment } from './backup-moment.ts';
import styles from '#web/ui/card-list.module.css';
import common from '#web/ui/common.module.css';
import { RestoreDialog, SIGNATURE_DOUBTS } from './restore-dialog.tsx';

const FOLLOW_EVERY_MS = 5_000;
const FOLLOW_RESTORE_EVERY_MS = 1_000;

const isUnderWay = (restore: RestoreState | null | undefined): boolean =>
  restore !== null && restore !== undefined && restore.step !== 'done' && restore.step !== 'failed';

const backupsQuery = { ...apiQuery('GET /api/admin/backups'), staleTime: 0 };

/** Shows backups with their test results, and the state of a restore, in a dialog. */
export function BackupsCard() {
  const { user } = useCurrentUser();
  const query = useQuery({
    ...backupsQuery,
    refetchInterval: ({ state }) =>
      isUnderWay(state.data?.restore) ? FOLLOW_RESTORE_EVERY_MS : FOLLOW_EVERY_MS,
  });
  const { data } = query;
  const [chosen, setChosen] = useState<Backup | null>(null);
  const isRestoring = isUnderWay(data?.restore);
  useReloadAfter(isRestoring);

  return (
    <>
      <p className={common['lead']}>
        Every night and by button. Each one is restored into a database that is thrown away, and compared.
      </p>
      <QueryState noun="backups" query={query} />
      {data?.target === null && (
        <EmptyState title="No backups are made">
          Set BACKUP_TARGET to a folder on another disk, or to a bucket, and start the server again.
        </EmptyState>
      )}
      {data && data.target !== null && (
        <>
          <BackUpNow target={data.target} />
          {data.restore && <RestoreProgress restore={data.restore} />}
          {data.damaged.length > 0 && <DamagedFiles files={data.damaged} />}
          {data.backups.length === 0 && <p className={styles['target']}>There is none yet.</p>}
          <ul className={styles['list']} aria-label="Backups">
            {data.backups.map((backup) => (
              <BackupRow
                key={backup.name}
                backup={backup}
                onRestore={user?.role === 'owner' && !isRestoring ? () => setChosen(backup) : null}
              />
            ))}
          </ul>
          {chosen && <RestoreDialog backup={chosen} onClose={() => setChosen(null)} />}
        </>
      )}
    </>
  );
}

function BackUpNow({ target }: { target: string }) {
  const { run, isBusy } = useCall('POST /api/admin/backups', {
    success: { title: 'Backup Started', description: 'It appears here once it is made and proven.' },
    failure: 'Backup Failed',
  });
  return (
    <div className={styles['bar']}>
      <span className={styles['target']}>
        Kept in {target}, signed but not encrypted: e-mail addresses, lap files, hashes of passwords and
        tokens and the secrets of webhooks can be read there. Protect it like this server.
      </span>
      <Button pending={isBusy} onClick={() => void run()}>
        Back Up Now
      </Button>
    </div>
  );
}

function DamagedFiles({ files }: { files: readonly string[] }) {
  return (
    <section aria-label="Damaged files">
      <p className={styles['problem']}>
        Damaged, so left out below. The other backups are not affected. Bring these files back from a copy, or
        look at the disk:
      </p>
      <ul>
        {files.map((file) => (
          <li key={file} className={styles['target']}>
            <code>{file}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Reloads the page after a restore, because all data on the screen may be outdated. */
function useReloadAfter(isRestoring: boolean): void {
  const queryClient = useQueryClient();
  const wasRestoring = useRef(isRestoring);
  useEffect(() => {
    if (wasRestoring.current && !isRestoring) void queryClient.invalidateQueries();
    wasRestoring.current = isRestoring;
  }, [isRestoring, queryClient]);
}

type BackupRowProps = {
  backup: Backup;
  /** Null if the viewer cannot restore the backup now. */
  onRestore: (() => void) | null;
};

function BackupRow({ backup, onRestore }: BackupRowProps) {
  const { name, rows, files, bytes, proof, signature } = backup;
  return (
    <li className={styles['row']}>
      <div>
        <p className={styles['name']}>{backupMoment(name)} UTC</p>
        <p className={styles['target']}>
          {pluralize(rows, 'row')}, {pluralize(files, 'file')}, {formatMegabytes(bytes)}
        </p>
        <p className={styles['target']}>
          To restore it on an empty machine: <code>npm run restore -- {name}</code>
        </p>
        {proof?.problem && <p className={styles['problem']}>{proof.problem}</p>}
        {signature !== 'valid' && <p className={styles['problem']}>{SIGNATURE_DOUBTS[signature]}</p>}
      </div>
      <div className={styles['bar']}>
        {proof === null && <Badge>Not proven yet</Badge>}
        {proof?.problem === null && <Badge tone="pb">Restored and compared</Badge>}
        {proof?.problem && <Badge tone="bad">Does not restore</Badge>}
        {onRestore && !proof?.problem && (
          <Button aria-label={`Restore ${backupMoment(name)} UTC`} onClick={onRestore}>
            Restore…
          </Button>
        )}
      </div>
    </li>
  );
}

const STEPS: [step: RestoreState['step'], label: string][] = [
  ['waiting', 'Waiting to begin'],
  ['backing-up', 'Backing up what is there now'],
  ['proving', 'Proving that backup'],
  ['files', 'Restoring files'],
  ['database', 'Restoring the database'],
];

function RestoreProgress({ restore: { name, step, undoName, problem } }: { restore: RestoreState }) {
  const at = STEPS.findIndex(([one]) => one === step);
  return (
    <section className={styles['restore']} aria-label="Restore" aria-live="polite">
      {step === 'done' && (
        <p>
          The backup of {backupMoment(name)} UTC was restored.{' '}
          {undoName && <>To undo this, restore the backup of {backupMoment(undoName)} UTC.</>}
        </p>
      )}
      {step === 'failed' && (
        <>
          <p>The backup of {backupMoment(name)} UTC was not restored, and nothing was changed.</p>
          <p className={styles['problem']}>{problem} Try again, or restore another backup.</p>
        </>
      )}
      {at >= 0 && (
        <>
          <p>Restoring the backup of {backupMoment(name)} UTC. Nothing can be saved until it is done.</p>
          <ol className={styles['steps']}>
            {STEPS.map(([one, label], index) => (
              <li key={one} aria-current={index === at ? 'step' : undefined}>
                {index < at ? '✓ ' : ''}
                {label}
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}
