import LocateFixed from 'lucide-react/icons/locate-fixed';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import {
  prefetchFirstBoards,
  useBoardTracks,
  useTrackPages,
} from '#web/features/boards/track-card-queries.ts';
import { TrackCardGrid, TrackCardSkeletons } from '#web/features/boards/track-card.tsx';
import { orderByDistance, useVisitorPosition, type Position } from '#web/features/boards/near-tracks.ts';
import { searchTracks } from '#web/features/boards/track-list.ts';
import { TrackSearch } from '#web/features/boards/track-search.tsx';
import { Button } from '#web/ui/button.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { SearchPicture, TrackPicture } from '#web/ui/picture.tsx';
import { EmptyState, QueryState, RetryLine } from '#web/ui/state-message.tsx';
import { useDebounced } from '#web/ui/use-debounced.ts';
import { observeNearViewport } from '#web/ui/use-near-viewport.ts';
import common from '#web/ui/common.module.css';
import styles from './leaderboards.module.css';

export async function prefetch(queryClient: QueryClient): Promise<void> {
  await prefetchFirstBoards(queryClient);
}

export function Page() {
  const [typed, setTyped] = useState('');
  const board = useBoardTracks();
  const visitor = useVisitorPosition(board.tracks);
  const searched = useDebounced(typed);
  const pages = useTrackPages({ typed: searched, position: visitor.position }, !board.isWhole);
  const isPaged = board.tracks !== undefined && !board.isWhole;
  return (
    <PageColumn>
      <div className={styles['head']}>
        <PageTitle>Track Leaderboards</PageTitle>
        <div className={styles['search']}>
          <TrackSearch
            tracks={(isPaged ? pages.tracks : board.tracks) ?? []}
            typed={typed}
            onTyped={setTyped}
          />
          <Button
            aria-pressed={visitor.state === 'exact'}
            pending={visitor.state === 'asking'}
            onClick={visitor.ask}
            className={styles['near']}
          >
            <LocateFixed size={18} aria-hidden="true" />
            Nearest First
          </Button>
        </div>
        <output className={common['note']} hidden={visitor.state !== 'refused'}>
          {visitor.state === 'refused' && 'Your browser does not share your position.'}
        </output>
      </div>
      {isPaged ? (
        <PagedTracks pages={pages} first={board.tracks ?? []} />
      ) : (
        <AllTracks board={board} typed={typed} position={visitor.position} />
      )}
    </PageColumn>
  );
}

type AllTracksProps = {
  board: ReturnType<typeof useBoardTracks>;
  typed: string;
  position: Position | null;
};

function AllTracks({ board: { tracks, isError, refetch }, typed, position }: AllTracksProps) {
  const shown = useMemo(() => {
    if (!tracks) return [];
    const found = typed.trim() === '' ? tracks : searchTracks(tracks, typed);
    const isDriven = (track: ListedTrack) => track.entryCount !== 0;
    const undriven = found.filter((track) => !isDriven(track));
    return [...found.filter(isDriven), ...(position ? orderByDistance(undriven, position) : undriven)];
  }, [tracks, typed, position]);
  const problem = isError && <QueryState noun="tracks" query={{ data: tracks, isError, refetch }} />;
  if (!tracks) return problem || <TrackCardSkeletons />;
  if (tracks.length === 0) {
    return (
      <EmptyState title="No tracks available yet" picture={<TrackPicture />}>
        Check back soon, or ask an administrator to create a track.
      </EmptyState>
    );
  }
  if (shown.length === 0) return <NothingFound />;
  return (
    <>
      <h2 className="visually-hidden">All tracks</h2>
      {problem}
      <TrackCardGrid tracks={shown} />
    </>
  );
}

function NothingFound() {
  return (
    <EmptyState title="No track matches your search" picture={<SearchPicture />}>
      Search for a part of its name or location.
    </EmptyState>
  );
}

type PagedTracksProps = { pages: ReturnType<typeof useTrackPages>; first: readonly ListedTrack[] };

/** Shows the tracks of a large library; the next ones load near the end of the list. */
function PagedTracks({ pages, first }: PagedTracksProps) {
  const { isError, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  const { tracks = first } = pages;
  const [end, setEnd] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (!end || isFetchingNextPage || isFetchNextPageError) return undefined;
    return observeNearViewport(end, (isNear) => isNear && void fetchNextPage({ cancelRefetch: false }));
  }, [end, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  const problem = isError && !isFetchNextPageError && (
    <QueryState noun="tracks" query={{ data: pages.tracks, isError, refetch }} />
  );
  if (problem && !pages.tracks) return problem;
  if (tracks.length === 0) return <NothingFound />;
  return (
    <>
      <h2 className="visually-hidden">All tracks</h2>
      {problem}
      <TrackCardGrid tracks={tracks} />
      {isFetchNextPageError && (
        <RetryLine onRetry={() => void fetchNextPage()}>More tracks could not be loaded.</RetryLine>
      )}
      {hasNextPage && !isFetchNextPageError && (
        <output ref={setEnd} className={styles['more']}>
          Loading tracks...
        </output>
      )}
    </>
  );
}
