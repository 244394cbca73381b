import { useEffect, useRef, type RefObject } from 'react';
import type { TrackId } from '#contract/ids.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import common from '#web/ui/common.module.css';
import { formatCount, pluralize } from '#web/ui/format.ts';
import { LapTimeLink } from '#web/ui/lap-time-link.tsx';
import { BoardPicture, SearchPicture } from '#web/ui/picture.tsx';
import { EmptyState, FailedState } from '#web/ui/state-message.tsx';
import { useFocusAfter } from '#web/ui/use-focus-after.ts';
import { useNearViewport } from '#web/ui/use-near-viewport.ts';
import { countFilters, emptyFilter, useBoardFilter } from './board-filter.ts';
import { useBoardTop } from './track-card-queries.ts';
import { useBoard } from './board-query.ts';
import { BoardSkeleton, BoardTable } from './board-table.tsx';
import { FilterBar } from './filter-bar.tsx';
import { PrintButton, PrintedFacts } from './print-board.tsx';
import { RivalsCard } from './rivals-card.tsx';
import { countWantedRows, useSavedScrollPosition, type ScrollPosition } from './scroll-position.ts';
import { ShareBoard } from './share-board.tsx';
import styles from './track-board.module.css';

type LoadedBoard = ReturnType<typeof useBoard>;

export function TrackBoard({ trackId, trackName }: { trackId: TrackId; trackName: string }) {
  const [filter, changeFilter] = useBoardFilter();
  const saved = useSavedScrollPosition(filter);
  const region = useRef<HTMLElement>(null);
  const loaded = useBoard(trackId, filter, countWantedRows(saved));
  const { totals } = loaded;
  const isFiltered = countFilters(filter) > 0;
  const resultText = totals ? pluralize(totals.totalLaps, 'Lap') : 'Laps';
  return (
    <>
      <Stats totalLaps={totals?.totalLaps} racers={totals?.racers} />
      <FilterBar
        {...{ trackId, filter, resultText }}
        onChange={changeFilter}
        phoneActions={<ShareBoard trackId={trackId} filter={filter} />}
      >
        <ShareBoard trackId={trackId} filter={filter} />
        <PrintButton loaded={loaded} />
      </FilterBar>
      <output className="visually-hidden">
        {totals && !loaded.isPlaceholderData && `${resultText}, ${pluralize(totals.racers, 'Racer')}`}
      </output>
      <PrintedFacts filter={filter} loaded={loaded} />
      <section ref={region} tabIndex={-1} className={styles['board']} aria-label="Leaderboard">
        {loaded.board?.own && (
          <RivalsCard {...{ trackId, filter }} own={loaded.board.own} isStale={loaded.isPlaceholderData} />
        )}
        {loaded.board?.own === null && isFiltered && <OwnOutside trackId={trackId} />}
        <BoardContent
          trackId={trackId}
          loaded={loaded}
          saved={saved}
          caption={`Fastest laps at ${trackName}`}
          isFiltered={isFiltered}
          focusAfter={region}
          onClear={() => changeFilter(emptyFilter())}
        />
      </section>
    </>
  );
}

/** Reports that the viewer's own record does not pass the filters; visitors see nothing. */
function OwnOutside({ trackId }: { trackId: TrackId }) {
  const { user } = useCurrentUser();
  const { board } = useBoardTop(trackId, user !== null);
  if (!user) return null;
  return (
    <p className={styles['ownOutside']}>
      {board?.own && (
        <>
          Your best lap here,{' '}
          <LapTimeLink trackId={trackId} lapId={board.own.lapId} lapTimeMs={board.own.lapTimeMs} />, does not
          match the selected filters.
        </>
      )}
      {board?.own === null && 'You have no lap time at this track yet.'}
    </p>
  );
}

export function TrackBoardSkeleton() {
  return (
    <>
      <Stats totalLaps={undefined} racers={undefined} />
      <div className={styles['filters']} />
      <div className={styles['board']} aria-hidden="true">
        <BoardSkeleton />
      </div>
    </>
  );
}

type BoardContentProps = {
  trackId: TrackId;
  loaded: LoadedBoard;
  saved: ScrollPosition | null;
  caption: string;
  isFiltered: boolean;
  /** Takes the focus of a button that goes with its message. */
  focusAfter: RefObject<HTMLElement | null>;
  onClear: () => void;
};

function BoardContent(props: BoardContentProps) {
  const { trackId, loaded, saved, caption, isFiltered, focusAfter, onClear } = props;
  const { board, isError, isReaching, refetch } = loaded;
  if (isError && !board) {
    return (
      <Card>
        <FailedState title="The leaderboard could not be loaded." onRetry={() => void refetch()} />
      </Card>
    );
  }
  if (!board) return <BoardSkeleton />;
  if (board.records.length === 0) {
    return <Card>{isFiltered ? <NoMatch {...{ focusAfter, onClear }} /> : <NoLaps />}</Card>;
  }
  return (
    <>
      <BoardTable isStale={loaded.isPlaceholderData} {...{ trackId, board, caption, saved, isReaching }} />
      {loaded.hasNextPage && <MoreEntries key={board.records.length} loaded={loaded} />}
    </>
  );
}

function NoLaps() {
  return (
    <EmptyState
      title="No lap times yet"
      picture={<BoardPicture />}
      actions={
        <ButtonLink href="/upload" variant="primary">
          Upload Your Lap
        </ButtonLink>
      }
    >
      Be the first to set a lap time at this track!
    </EmptyState>
  );
}

function NoMatch({ focusAfter, onClear }: Pick<BoardContentProps, 'focusAfter' | 'onClear'>) {
  useFocusAfter(focusAfter);
  return (
    <EmptyState
      title="No lap times match the selected filters"
      picture={<SearchPicture />}
      actions={<Button onClick={onClear}>Clear</Button>}
    >
      Try adjusting or clearing your filters to see more results.
    </EmptyState>
  );
}

/** Loads the next page near the end of the list; the button is for keyboards, and after a failure. */
function MoreEntries({ loaded }: { loaded: LoadedBoard }) {
  const { ref, isNear } = useNearViewport<HTMLDivElement>();
  const { isReaching, fetchNextPage } = loaded;
  const isWanted = isNear || isReaching;
  useEffect(() => {
    if (isWanted) void fetchNextPage();
  }, [isWanted, fetchNextPage]);
  return (
    <div ref={ref} className={styles['more']}>
      {loaded.isFetchNextPageError && (
        <p role="alert" className={common['failure']}>
          More lap times could not be loaded.
        </p>
      )}
      <Button pending={loaded.isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {loaded.isFetchNextPageError ? 'Retry' : 'Load More'}
      </Button>
    </div>
  );
}

function Stats(totals: { totalLaps: number | undefined; racers: number | undefined }) {
  return (
    <dl className={styles['stats']}>
      <Stat label="Total Laps" value={totals.totalLaps} />
      <Stat label="Racers" value={totals.racers} />
    </dl>
  );
}

function Stat({ label, value }: { label: string; value: number | undefined }) {
  return (
    <Card padded={false} className={styles['stat']}>
      <dt>{label}</dt>
      <dd>{value === undefined ? '' : formatCount(value)}</dd>
    </Card>
  );
}
