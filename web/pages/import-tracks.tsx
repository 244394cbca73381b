import { useSearchParams } from 'wouter';
import { AuditLog } from '#web/features/admin/audit-log.tsx';
import { ImportTracks } from '#web/features/admin/import-tracks.tsx';
import { ProposedTracks } from '#web/features/admin/proposed-tracks.tsx';
import { TracksTable } from '#web/features/admin/tracks-table.tsx';
import { AdminOnly } from '#web/shell/admin-only.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import styles from './admin.module.css';

/** The page on which administrators add tracks to the library, correct those that are there, and read the audit log. */
export function Page() {
  const [search, setSearch] = useSearchParams();
  const tabs = [
    {
      value: 'import',
      label: 'Import',
      content: (
        <div className={styles['tab']}>
          <ImportTracks />
        </div>
      ),
    },
    { value: 'proposals', label: 'Proposals', content: <ProposedTracks /> },
    { value: 'tracks', label: 'Tracks', content: <TracksTable /> },
    { value: 'log', label: 'Audit Log', content: <AuditLog /> },
  ];
  const tab = search.get('tab');
  return (
    <PageColumn>
      <PageTitle>Import Tracks</PageTitle>
      <AdminOnly deniedTitle="Access Denied - Admin access is required to import tracks">
        <div className={styles['cards']}>
          <Tabs
            label="Administration of tracks"
            tabs={tabs}
            value={tabs.find(({ value }) => value === tab)?.value ?? 'import'}
            onChange={(value) => setSearch(value === 'import' ? {} : { tab: value }, { replace: true })}
          />
        </div>
      </AdminOnly>
    </PageColumn>
  );
}
