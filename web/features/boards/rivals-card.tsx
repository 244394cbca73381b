import { useId } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import type { BoardRecord, BoardFilter } from '#web/api/specified-answers/boards.ts';
import { classNames } from '#web/ui/class-names.ts';
import { LapTimeLink } from '#web/ui/lap-time-link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { RetryLine } from '#web/ui/state-message.tsx';
import { writeFilter } from './board-filter.ts';
import { Driver, openableLap } from './entry.tsx';
import styles from './rivals-card.module.css';
import { useRivals } from './rivals-query.ts';
import { formatCarModel, formatGapTo, isSameFilter, type Rival, type Rivals } from './rivals.ts';

type RivalsCardProps = {
  trackId: string;
  /** The viewer's own record under `filter`. */
  own: BoardRecord;
  filter: BoardFilter;
  /** The record belongs to an earlier filter, until the next board is loaded. */
  isStale: boolean;
};

/** The drivers nearest to the viewer in the same car, or in its class. */
export function RivalsCard({ isStale, ...search }: RivalsCardProps) {
  const { own, filter } = search;
  const headingId = useId();
  const { data: rivals, isError, refetch } = useRivals(search, !isStale);
  return (
    <section className={styles['card']} aria-labelledby={headingId}>
      <div className={styles['head']}>
        <h2 id={headingId} className={styles['heading']}>
          Your Rivals
        </h2>
        <p className={styles['scope']}>{scopeText(rivals, own)}</p>
        {rivals && !isSameFilter(rivals.filter, filter) && <FilterLink rivals={rivals} />}
      </div>
      {isError && (
        <div className={styles['rivals']}>
          <RetryLine onRetry={() => void refetch()}>The rivals could not be loaded.</RetryLine>
        </div>
      )}
      {rivals === undefined && !isError && <RivalsSkeleton />}
      {rivals && <RivalList rivals={rivals} trackId={search.trackId} />}
      {rivals === null && (
        <p className={classNames(styles['rivals'], styles['empty'])}>
          No other driver in your car or its class yet.
        </p>
      )}
    </section>
  );
}

function FilterLink({ rivals: { scope, filter } }: { rivals: Rivals }) {
  const [path] = useLocation();
  const [search] = useSearchParams();
  return (
    <Link href={`${path}?${writeFilter(search, filter).toString()}`} className={styles['link']}>
      {scope === 'car' ? 'Show only this car' : 'Show only this class'}
    </Link>
  );
}

function RivalList({ rivals: { scope, ahead, behind }, trackId }: { rivals: Rivals; trackId: string }) {
  return (
    <ul className={styles['rivals']}>
      {(scope === 'car' || ahead) && (
        <RivalItem
          trackId={trackId}
          rival={ahead}
          side="ahead"
          emptyText="You are the fastest in this car."
        />
      )}
      {(scope === 'car' || behind) && (
        <RivalItem trackId={trackId} rival={behind} side="behind" emptyText="No driver behind you yet." />
      )}
    </ul>
  );
}

type RivalItemProps = { trackId: string; rival: Rival | null; side: 'ahead' | 'behind'; emptyText: string };

function RivalItem({ trackId, rival, side, emptyText }: RivalItemProps) {
  if (rival === null) return <li className={classNames(styles['side'], styles['empty'])}>{emptyText}</li>;
  return (
    <li className={styles['side']}>
      <Driver record={rival.record} avatarSize={28} />
      <LapTimeLink
        trackId={trackId}
        lapId={openableLap(rival.record)}
        lapTimeMs={rival.record.lapTimeMs}
        className={styles['time']}
      />
      <span className={styles['gap']}>{formatGapTo(rival, side)}</span>
    </li>
  );
}

function RivalsSkeleton() {
  return (
    <div className={styles['rivals']}>
      {['ahead', 'behind'].map((side) => (
        <div key={side} className={styles['side']}>
          <Skeleton width="60%" height={28} />
        </div>
      ))}
    </div>
  );
}

function scopeText(rivals: Rivals | null | undefined, own: BoardRecord): string {
  if (rivals?.scope === 'class') {
    return `No other driver in this car yet. Nearest in ${own.carRaceClass ?? 'the class'}:`;
  }
  return formatCarModel(own);
}
