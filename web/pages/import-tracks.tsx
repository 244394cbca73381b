import { ImportTracks } from '#web/features/admin/import-tracks.tsx';
import { AdminOnly } from '#web/shell/admin-only.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import styles from './admin.module.css';

/** The page on which administrators add tracks to the library. */
export function Page() {
  return (
    <PageColumn>
      <PageTitle>Import Tracks</PageTitle>
      <AdminOnly deniedTitle="Access Denied - Admin access is required to import tracks">
        <div className={styles['cards']}>
          <ImportTracks />
        </div>
      </AdminOnly>
    </PageColumn>
  );
}
