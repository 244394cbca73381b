import { Flag } from 'lucide-react';
import type { QueryClient } from '@tanstack/react-query';
import { prefetchFirstBoards, useBoardTracks } from '#web/features/boards/board-queries.ts';
import { TrackCardGrid, TrackCardSkeletons } from '#web/features/boards/track-card.tsx';
import { TrackSearch } from '#web/features/boards/track-search.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { EmptyState, FailedState } from '#web/ui/state-message.tsx';
import styles from './leaderboards.module.css';

/** The first boards. */
export async function prefetch(queryClient: QueryClient): Promise<void> {
  await prefetchFirstBoards(queryClient);
}

/** Every track with the top of its board. */
export function Page() {
  const { tracks } = useBoardTracks();
  return (
    <PageColumn>
      <div className={styles['head']}>
        <PageTitle>Track Leaderboards</PageTitle>
        <div className={styles['search']}>
          <TrackSearch tracks={tracks ?? []} />
        </div>
      </div>
      <AllTracks />
    </PageColumn>
  );
}

function AllTracks() {
  const { tracks, isError, refetch } = useBoardTracks();
  if (isError && !tracks) {
    return <FailedState title="The tracks could not be loaded." onRetry={() => void refetch()} />;
  }
  if (!tracks) return <TrackCardSkeletons />;
  if (tracks.length === 0) {
    return (
      <EmptyState title="No tracks available yet" icon={<Flag size={22} />}>
        Check back soon, or ask an administrator to create a track.
      </EmptyState>
    );
  }
  return (
    <>
      <h2 className="visually-hidden">All tracks</h2>
      <TrackCardGrid tracks={tracks} />
    </>
  );
}
