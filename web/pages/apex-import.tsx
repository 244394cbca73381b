import { Redirect, useSearchParams } from 'wouter';
import { useWaiting } from '#web/api/waiting.ts';
import { ApexTracks } from '#web/features/library/apex-tracks.tsx';
import { CarLibrary } from '#web/features/library/car-library.tsx';
import { CarsTable } from '#web/features/library/cars-table.tsx';
import { ClubPage, prefetchClubPage } from '#web/shell/club-page.tsx';
import { Button } from '#web/ui/button.tsx';
import { Count } from '#web/ui/count.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import styles from './admin.module.css';

export { prefetchClubPage as prefetch };

// These were tabs of this page, which links and bookmarks may still name.
const MOVED: Partial<Record<string, string>> = {
  flags: '/club/moderation',
  operations: '/club/operations',
  people: '/club/people',
};

/** Shows the imports of cars and of tracks with traps, and the cars of the library. */
export function Page() {
  const [search, setSearch] = useSearchParams();
  const { cars } = useWaiting();
  const tab = search.get('tab') ?? '';
  const movedTo = MOVED[tab];
  if (movedTo !== undefined) return <Redirect to={movedTo} replace />;
  const tabs = [
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
    {
      value: 'cars',
      label: (
        <>
          Cars <Count count={cars} />
        </>
      ),
      content: <CarsTable />,
    },
  ];
  return (
    <ClubPage
      title="Admin Tools"
      deniedText="Only administrators can use these tools. If you were promoted recently, refresh the page."
      deniedAction={<Button onClick={() => window.location.reload()}>Refresh Page</Button>}
    >
      <h2 className={styles['title']}>Admin Tools</h2>
      <Tabs
        label="Administration of cars"
        tabs={tabs}
        value={tab === 'cars' ? tab : 'import'}
        onChange={(value) => setSearch(value === 'import' ? {} : { tab: value }, { replace: true })}
      />
    </ClubPage>
  );
}
