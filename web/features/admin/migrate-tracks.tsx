import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { AdminCard } from './admin-card.tsx';
import { migrateTracks, refreshTracks } from './admin-queries.ts';
import { describeMigration, describeMigrationFailure, type Migration } from './migration.ts';
import styles from './migrate-tracks.module.css';
import { Warnings } from './warnings.tsx';

/** Copies the tracks that were imported with their traps to the library. */
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
      lead="Copies the tracks that were imported in Admin Tools to the track library. Tracks that it already has stay as they are."
    >
      <Button className={styles['button'] ?? ''} pending={isMigrating} onClick={() => void migrate()}>
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
