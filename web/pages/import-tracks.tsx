import { Redirect, useSearchParams } from 'wouter';
import { mayAdminister } from '#contract/people/labels.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { useWaiting } from '#web/api/waiting.ts';
import { ImportTracks } from '#web/features/library/import-tracks.tsx';
import { ProposedTracks } from '#web/features/library/proposed-tracks.tsx';
import { TracksTable } from '#web/features/library/tracks-table.tsx';
import { GetTracksCard } from '#web/features/track-sets/get-tracks-card.tsx';
import { CorrectLines } from '#web/features/tracks/correct-lines.tsx';
import { ClubPage, prefetchClubPage } from '#web/shell/club-page.tsx';
import { Count } from '#web/ui/count.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import styles from './admin.module.css';

export { prefetchClubPage as prefetch };

export function Page() {
  const [search, setSearch] = useSearchParams();
  const { user } = useCurrentUser();
  const { tracks } = useWaiting();
  const tab = search.get('tab');
  // The log was a tab of this page, which links and bookmarks may still name.
  if (tab === 'log') return <Redirect to="/club/audit" replace />;
  const proposals = {
    value: 'proposals',
    label: (
      <>
        Proposals <Count count={tracks} />
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
  ];
  const tabs = mayAdminister(user) ? administration : [proposals];
  return (
    <ClubPage
      title="Import Tracks"
      forModerators
      deniedTitle="Access Denied - Admin access is required to import tracks"
    >
      <h2 className={styles['title']}>Import Tracks</h2>
      <Tabs
        label="Administration of tracks"
        tabs={tabs}
        value={tabs.find(({ value }) => value === tab)?.value ?? tabs[0]?.value ?? 'import'}
        onChange={(value) => setSearch(value === 'import' ? {} : { tab: value }, { replace: true })}
      />
    </ClubPage>
  );
}
