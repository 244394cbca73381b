import { useSearchParams } from 'wouter';
import { mayAdminister } from '#contract/people/labels.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { useWaiting } from '#web/api/waiting.ts';
import { ApexTracks } from '#web/features/library/apex-tracks.tsx';
import { CarsTable } from '#web/features/library/cars-table.tsx';
import { Moderation } from '#web/features/moderation/moderation.tsx';
import { BackupsCard } from '#web/features/operations/backups-card.tsx';
import { JobsCard } from '#web/features/operations/jobs-card.tsx';
import { RefusedFilesCard } from '#web/features/operations/refused-files-card.tsx';
import { ServerCard } from '#web/features/operations/server-card.tsx';
import { MailCard } from '#web/features/mail/mail-card.tsx';
import { WebhooksCard } from '#web/features/webhooks/webhooks-card.tsx';
import { PeopleTable } from '#web/features/people/people-table.tsx';
import { CarLibrary } from '#web/features/library/car-library.tsx';
import { AdminOnly } from '#web/shell/admin-only.tsx';
import { Button } from '#web/ui/button.tsx';
import { Count } from '#web/ui/count.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import cardList from '#web/ui/card-list.module.css';
import styles from './admin.module.css';

/** Shows the imports of cars and of tracks with traps to administrators, and flagged laps to moderators. */
export function Page() {
  const [search, setSearch] = useSearchParams();
  const { user } = useCurrentUser();
  const waiting = useWaiting();
  const flags = {
    value: 'flags',
    label: (
      <>
        Flags <Count count={waiting.flags + waiting.appeals} />
      </>
    ),
    content: <Moderation />,
  };
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
    {
      value: 'cars',
      label: (
        <>
          Cars <Count count={waiting.cars} />
        </>
      ),
      content: <CarsTable />,
    },
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

function Operations() {
  return (
    <div className={cardList['cards']}>
      <ServerCard />
      <BackupsCard />
      <MailCard />
      <WebhooksCard />
      <RefusedFilesCard />
      <JobsCard />
    </div>
  );
}
