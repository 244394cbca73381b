import { useSearchParams } from 'wouter';
import { mayAdminister } from '#contract/people/labels.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { ApexTracks } from '#web/features/admin/apex-import.tsx';
import { CarsTable } from '#web/features/admin/cars-table.tsx';
import { FlagQueue } from '#web/features/admin/flag-queue.tsx';
import { Operations } from '#web/features/admin/operations.tsx';
import { PeopleTable } from '#web/features/admin/people-table.tsx';
import { CarLibrary } from '#web/features/admin/car-library.tsx';
import { AdminOnly } from '#web/shell/admin-only.tsx';
import { Button } from '#web/ui/button.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import styles from './admin.module.css';

/** The page on which administrators import cars, and tracks with their traps, and moderators decide on flagged laps. */
export function Page() {
  const [search, setSearch] = useSearchParams();
  const { user } = useCurrentUser();
  const flags = { value: 'flags', label: 'Flags', content: <FlagQueue /> };
  const administration = [
    {
      value: 'import',
      label: 'Import',
      content: (
        <div className={styles['tab']}>
          <CarLibrary />
          <ApexTracks />
        </div>
      ),
    },
    { value: 'cars', label: 'Cars', content: <CarsTable /> },
    { value: 'operations', label: 'Operations', content: <Operations /> },
    { value: 'people', label: 'People', content: <PeopleTable /> },
  ];
  const tabs = mayAdminister(user) ? [...administration, flags] : [flags];
  return (
    <PageColumn>
      <PageTitle>Admin Tools</PageTitle>
      <AdminOnly
        forModerators
        deniedTitle="Access Denied"
        deniedText="Only administrators can use these tools. If you were promoted recently, refresh the page."
        deniedAction={<Button onClick={() => window.location.reload()}>Refresh Page</Button>}
      >
        <div className={styles['cards']}>
          <Tabs
            label="Administration of cars and laps"
            tabs={tabs}
            value={tabs.find(({ value }) => value === search.get('tab'))?.value ?? tabs[0]?.value ?? 'import'}
            onChange={(value) => setSearch(value === 'import' ? {} : { tab: value }, { replace: true })}
          />
        </div>
      </AdminOnly>
    </PageColumn>
  );
}
