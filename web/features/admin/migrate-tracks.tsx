import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, describeError } from '#web/api/api-error.ts';
import type { Migration } from '#web/api/specified-answers/admin.ts';
import { Button } from '#web/ui/button.tsx';
import { pluralize } from '#web/ui/format.ts';
import { showToast } from '#web/ui/toasts.ts';
import { AdminCard, Warnings } from './admin-card.tsx';
import { migrateTracks, refreshTracks } from './admin-queries.ts';
import styles from './admin.module.css';

/** Migrates the tracks that were imported with their traps to the library. */
export function MigrateTracks() {
  const queryClient = useQueryClient();
  const [isMigrating, setIsMigrating] = useState(false);
  const [migration, setMigration] = useState<Migration | null>(null);

  async function migrate(): Promise<void> {
    setIsMigrating(true);
    setMigration(null);
    try {
      const answer = await migrateTracks();
      setMigration(answer);
      const title = answer.success ? 'Migration Complete' : 'Migration Failed';
      showToast({ title, description: describeMigration(answer), destructive: !answer.success });
      await refreshTracks(queryClient);
    } catch (error) {
      const description = describeMigrationFailure(error);
      showToast({ title: 'Migration Failed', description, destructive: true });
    } finally {
      setIsMigrating(false);
    }
  }

  return (
    <AdminCard
      title="Migrate Existing Tracks"
      lead="Copy the tracks imported in Admin Tools to the track library. Existing tracks stay unchanged."
    >
      <Button className={styles['narrow']} pending={isMigrating} onClick={() => void migrate()}>
        {isMigrating ? 'Migrating...' : 'Migrate Tracks'}
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

/** A migration in a sentence or two. */
export function describeMigration(migration: Migration): string {
  const { success, migrated, existing, skipped, error } = migration;
  if (!success) return error ?? 'The tracks could not be migrated.';
  const sentences = [`${pluralize(migrated ?? 0, 'track')} migrated.`];
  if (existing) sentences.push(`${pluralize(existing, 'track')} already in the library.`);
  if (skipped) sentences.push(`${pluralize(skipped, 'track')} skipped.`);
  return sentences.join(' ');
}

/** The server's status and message. */
export function describeMigrationFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return describeError(error);
  return `${error.status}: ${describeError(error, error.message.slice(`${error.status}: `.length))}`;
}
