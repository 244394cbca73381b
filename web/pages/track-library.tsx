import { useSearchParams } from 'wouter';
import { mayAdminister } from '#contract/people/labels.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { useWaiting } from '#web/api/waiting.ts';
import { AuditLog } from '#web/features/audit/audit-log.tsx';
import { ImportTracks } from '#web/features/library/import-tracks.tsx';
import { ProposedTracks } from '#web/features/library/proposed-tracks.tsx';
import { TracksTable } from '#web/features/library/tracks-table.tsx';
import { GetTracksCard } from '#web/features/track-sets/get-tracks-card.tsx';
import { CorrectLines } from '#web/features/tracks/correct-lines.tsx';
import { AdminOnly } from '#web/shell/admin-only.tsx';
import { Count } from '#web/ui/count.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import styles from './admin.module.css';

export function Page() {
  const [search, setSearch] = useSearchParams();
  const { user } = useCurrentUser();
  const waiting = useWaiting();
  const proposals = {
    value: 'proposals',
    label: (
      <>
        Proposals <Count count={waiting.tracks} />
      </>
    ),
    content: <ProposedTracks LineEditor={CorrectLines} />,
  };
  const administration = [
    {
      value: 'import',
      label: 'Import',
      content: (
        <div className={styles['tab']}>
          <GetTracksCard />
          <ImportTracks />
        </div>
      ),
    },
    proposals,
    { value: 'tracks', label: 'Tracks', content: <TracksTable LineEditor={CorrectLines} /> },
    { value: 'log', label: 'Audit Log', content: <AuditLog /> },
  ];
  const tabs = mayAdminister(user) ? administration : [proposals];
  const tab = search.get('tab');
  return (
    <PageColumn>
      <PageTitle>Import Tracks</PageTitle>
      <AdminOnly forModerators deniedTitle="Access Denied - Admin access is required to import tracks">
        <div className={styles['cards']}>
          <Tabs
            label="Administration of tracks"
            tabs={tabs}
            value={tabs.find(({ value }) => value === tab)?.value ?? tabs[0]?.value ?? 'import'}
            onChange={(value) => setSearch(value === 'import' ? {} : { tab: value }, { replace: true })}
          />
        </div>
      </AdminOnly>
    </PageColumn>
  );
}
