import { ApexTracks } from '#web/features/admin/apex-import.tsx';
import { CarLibrary } from '#web/features/admin/car-library.tsx';
import { AdminOnly } from '#web/shell/admin-only.tsx';
import { Button } from '#web/ui/button.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import styles from './admin.module.css';

/** The page on which administrators import cars, and tracks with their traps. */
export function Page() {
  return (
    <PageColumn>
      <PageTitle>Admin Tools</PageTitle>
      <AdminOnly
        deniedTitle="Access Denied"
        deniedText="Only administrators can use these tools. If you were promoted recently, refresh the page."
        deniedAction={<Button onClick={() => window.location.reload()}>Refresh Page</Button>}
      >
        <div className={styles['cards']}>
          <CarLibrary />
          <ApexTracks />
        </div>
      </AdminOnly>
    </PageColumn>
  );
}
