import { ApiError, describeError } from '#web/api/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { pluralize } from '#web/ui/format.ts';
import { useCall } from '#web/ui/use-call.ts';
import { AdminCard, Warnings } from '#web/ui/admin-card.tsx';
import type { Migration } from './import-queries.ts';
import styles from '#web/ui/admin.module.css';

/** Migrates the tracks that were imported with their traps to the library. */
export function MigrateTracks() {
  const {
    run,
    isBusy,
    result: migration,
  } = useCall('POST /api/apex/migrate-to-main', {
    success: (answer) => ({
      title: answer.success ? 'Migration Complete' : 'Migration Failed',
      description: describeMigration(answer),
      destructive: !answer.success,
    }),
    failure: (error) => ({ title: 'Migration Failed', description: describeMigrationFailure(error) }),
  });
  return (
    <AdminCard
      title="Migrate Existing Tracks"
      lead="Copy the tracks imported in Admin Tools to the track library. Existing tracks stay unchanged."
    >
      <Button className={styles['narrow']} pending={isBusy} onClick={() => void run()}>
        {isBusy ? 'Migrating...' : 'Migrate Tracks'}
      </Button>
      {migration && (
        <div className={styles['outcome']}>
          <p>{describeMigration(migration)}</p>
          <Warnings sentences={migration.warnings} />
        </div>
      )}
    </AdminCard>
  );
}

export function describeMigration(migration: Migration): string {
  const { success, summary, error } = migration;
  if (!success) return error ?? 'The tracks could not be migrated.';
  const { migrated, existing, skipped } = summary;
  const sentences = [`${pluralize(migrated, 'track')} migrated.`];
  if (existing > 0) sentences.push(`${pluralize(existing, 'track')} already in the library.`);
  if (skipped > 0) sentences.push(`${pluralize(skipped, 'track')} skipped.`);
  return sentences.join(' ');
}

/** Returns the server's status and message. */
export function describeMigrationFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return describeError(error);
  return `${error.status}: ${describeError(error, error.message.slice(`${error.status}: `.length))}`;
}
