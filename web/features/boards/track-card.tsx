import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { TrackId } from '#contract/ids.ts';
import { formatCarName } from '#contract/laps/labels.ts';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CircuitOutline } from '#web/ui/circuit-outline.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatLapDate } from '#web/ui/format.ts';
import { isRestored } from '#web/ui/navigation.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { LoadingState } from '#web/ui/state-message.tsx';
import { useNearViewport } from '#web/ui/use-near-viewport.ts';
import { trackHref } from '#web/ui/page-hrefs.ts';
import { Position } from '#web/ui/position.tsx';
import { FIRST_CARDS, TOP_COUNT, useBoardTop } from './track-card-queries.ts';
import { OwnProgress } from './own-progress.tsx';
import { Driver, EntryTime, TireBadge, VideoLink } from './entry.tsx';
import { TrackOrigins } from '#web/ui/track-origin.tsx';
import common from '#web/ui/common.module.css';
import styles from './track-card.module.css';
import type { Board, BoardRecord } from './read-board.ts';

/** Shows track cards side by side, as many as fit; those without laps are small and come last. */
export function TrackCardGrid({ tracks }: { tracks: readonly ListedTrack[] }) {
  const count = useGrowingCount(tracks.length);
  const shown = tracks.slice(0, count);
  const undriven = shown.filter(({ entryCount }) => entryCount === 0);
  return (
    <div className={styles['grids']}>
      {undriven.length < shown.length && (
        <ul className={styles['grid']}>
          {shown
            .filter((track) => !undriven.includes(track))
            .map((track, index) => (
              <TrackCard key={track.id} track={track} isFirst={index < FIRST_CARDS} />
            ))}
        </ul>
      )}
      {undriven.length > 0 && (
        <ul className={styles['compactGrid']} aria-label="Tracks without laps">
          {undriven.map((track) => (
            <CompactCard key={track.id} track={track} />
          ))}
        </ul>
      )}
      <TrackOrigins tracks={shown} />
    </div>
  );
}

function TrackTitle({ track }: { track: ListedTrack }) {
  return (
    <>
      <div className={styles['title']}>
        <h3>
          <Link href={trackHref(track.id)}>{track.name}</Link>
        </h3>
        <Badge className={styles['layout']}>{track.configuration || 'Unknown'}</Badge>
      </div>
      <div className={styles['under']}>
        <p className={common['note']}>{track.location || 'Location not set'}</p>
        <OwnProgress track={track} />
      </div>
    </>
  );
}

function CompactCard({ track }: { track: ListedTrack }) {
  return (
    <Card as="li" padded={false} className={styles['compact']}>
      <TrackTitle track={track} />
      <p className={styles['compactState']}>No laps recorded yet</p>
      <div className={styles['compactLinks']}>
        <Link href="/upload">Be the first to upload a lap</Link>
        <Link href={trackHref(track.id)} aria-label={`View Full Leaderboard of ${track.name}`}>
          View Full Leaderboard
        </Link>
      </div>
    </Card>
  );
}

/**
 * Returns the number of cards to render: the first ones at once, then twice as many each time that the browser is idle,
 * since hundreds at once would block a phone. A restored page has all of them at once.
 */
function useGrowingCount(total: number): number {
  const [count, setCount] = useState(isRestored() ? Infinity : FIRST_CARDS);
  const hasMore = count < total;
  useEffect(() => {
    if (!hasMore) return undefined;
    const timer = window.setTimeout(() => setCount(count * 2));
    return () => window.clearTimeout(timer);
  }, [count, hasMore]);
  return count;
}

const SKELETON_KEYS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

export function TrackCardSkeletons() {
  return (
    <div className={styles['loading']}>
      <LoadingState>Loading tracks...</LoadingState>
      <div className={styles['grid']} aria-hidden="true">
        {SKELETON_KEYS.map((key) => (
          <Card key={key} padded={false} className={styles['card']}>
            <div className={styles['head']}>
              <div className={styles['picture']} />
              <div className={styles['title']}>
                <Skeleton width="60%" height={22} />
              </div>
              <Skeleton width="40%" height={21} />
            </div>
            <EntrySkeletons />
            <div className={styles['foot']}>
              <Skeleton height="var(--ctl)" />
            </div>
          </Card>
        ))}
      </div>
    </div>
  );
}

/** Shows a track with the top of its board, which is fetched once the card comes near the viewport. */
function TrackCard({ track, isFirst }: { track: ListedTrack; isFirst: boolean }) {
  const { ref, isNear } = useNearViewport<HTMLDivElement>(isFirst);
  return (
    <Card as="li" padded={false} className={styles['card']}>
      <div className={styles['head']} ref={ref}>
        {/* Rendering hundreds of outlines at once would block a phone. */}
        <div className={styles['picture']}>{isNear && <CircuitOutline track={track} />}</div>
        <TrackTitle track={track} />
      </div>
      {isNear ? <TopEntries track={track} /> : <div className={styles['unloaded']} />}
    </Card>
  );
}

function TopEntries({ track }: { track: ListedTrack }) {
  const { board, isError, refetch } = useBoardTop(track.id, true);
  if (isError && !board) {
    return (
      <div className={styles['state']} role="alert">
        The leaderboard could not be loaded.
        <Button size="small" onClick={() => void refetch()}>
          Retry
        </Button>
      </div>
    );
  }
  if (!board) {
    return (
      <>
        <span className="visually-hidden">Loading leaderboard...</span>
        <EntrySkeletons />
        <FullBoardLink track={track} />
      </>
    );
  }
  if (board.records.length === 0) {
    return (
      <>
        <div className={classNames(styles['entries'], styles['noLaps'])}>
          No laps recorded yet
          <ButtonLink href="/upload" size="small">
            Be the first to upload a lap
          </ButtonLink>
        </div>
        <FullBoardLink track={track} />
      </>
    );
  }
  return (
    <>
      <ol className={styles['entries']} aria-label={`Fastest laps at ${track.name}`}>
        {pinOwn(board).map((record) => (
          <Entry key={record.lapId} record={record} trackId={track.id} />
        ))}
      </ol>
      <FullBoardLink track={track} />
    </>
  );
}

function FullBoardLink({ track }: { track: ListedTrack }) {
  return (
    <div className={styles['foot']}>
      <ButtonLink href={trackHref(track.id)} wide aria-label={`View Full Leaderboard of ${track.name}`}>
        View Full Leaderboard
      </ButtonLink>
    </div>
  );
}

function Entry({ record, trackId }: { record: BoardRecord; trackId: TrackId }) {
  return (
    <li className={classNames(styles['entry'], record.isOwn && styles['own'])}>
      <span className={styles['position']}>
        <Position rank={record.rank} />
      </span>
      <span className={styles['first']}>
        <Driver record={record} avatarSize={24} />
      </span>
      <span className={styles['result']}>
        <VideoLink record={record} />
        <EntryTime record={record} trackId={trackId} />
      </span>
      <span className={styles['second']}>
        <span className={styles['car']}>{formatCarName(record)}</span>
        <TireBadge record={record} />
        <span className={styles['date']}>{formatLapDate(record.sessionDate)}</span>
      </span>
    </li>
  );
}

function EntrySkeletons() {
  return (
    <div className={styles['entries']}>
      {SKELETON_KEYS.slice(0, TOP_COUNT).map((key) => (
        <div key={key} className={styles['entry']}>
          <Skeleton width={26} height={26} className={styles['position']} />
          <Skeleton width="60%" />
          <Skeleton width={72} />
          <span className={styles['second']}>
            <Skeleton width="45%" height={12} />
          </span>
        </div>
      ))}
    </div>
  );
}

// The viewer's own record comes first and is not repeated below.
function pinOwn({ records, own }: Pick<Board, 'records' | 'own'>): BoardRecord[] {
  return own ? [own, ...records.filter(({ isOwn }) => !isOwn)] : records;
}
