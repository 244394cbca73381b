import ChevronDown from 'lucide-react/icons/chevron-down';
import { useId, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import type { TrackId } from '#contract/ids.ts';
import { classNames } from '#web/ui/class-names.ts';
import { LapTimeLink } from '#web/ui/lap-time-link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { RetryLine } from '#web/ui/state-message.tsx';
import { writeFilter, type BoardFilter } from './board-filter.ts';
import { Driver } from './entry.tsx';
import styles from './rivals-card.module.css';
import { useRivals } from './rivals-query.ts';
import {
  describeNoRival,
  formatCarModel,
  formatGapTo,
  isSameFilter,
  summarizeRivals,
  type Rivals,
} from './rivals.ts';
import type { BoardRecord } from './read-board.ts';

type RivalsCardProps = {
  trackId: TrackId;
  /** The viewer's own record under `filter`. */
  own: BoardRecord;
  filter: BoardFilter;
  /** The record belongs to an earlier filter, until the next board is loaded. */
  isStale: boolean;
};

/** Shows the drivers ahead and behind on the board, in the class and in the car; on phones one line first. */
export function RivalsCard({ isStale, ...search }: RivalsCardProps) {
  const { trackId, own, filter } = search;
  const headingId = useId();
  const groupsId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { data: groups, isError, refetch } = useRivals(search, !isStale);
  const [first] = groups ?? [];
  return (
    <section className={styles['card']} aria-labelledby={headingId}>
      <h2 id={headingId} className={styles['heading']}>
        Your Rivals
      </h2>
      <button
        type="button"
        className={styles['line']}
        aria-expanded={isOpen}
        aria-controls={groupsId}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span>{first ? summarizeRivals(own.rank, first) : `P${own.rank}`}</span>
        <ChevronDown size={16} aria-hidden="true" />
      </button>
      <div id={groupsId} className={classNames(styles['groups'], isOpen && styles['open'])}>
        {isError && <RetryLine onRetry={() => void refetch()}>The rivals could not be loaded.</RetryLine>}
        {!groups && !isError && <RivalsSkeleton />}
        {groups?.map((rivals) => (
          <RivalGroup key={rivals.scope} {...{ trackId, rivals, own, filter }} />
        ))}
      </div>
    </section>
  );
}

type RivalGroupProps = { trackId: TrackId; rivals: Rivals; own: BoardRecord; filter: BoardFilter };

function RivalGroup({ trackId, rivals, own, filter }: RivalGroupProps) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId}>
      <div className={styles['groupHead']}>
        <h3 id={titleId} className={styles['scope']}>
          {scopeTitle(rivals, own)}
        </h3>
        {!isSameFilter(rivals.filter, filter) && <FilterLink rivals={rivals} />}
      </div>
      <ul>
        {(['ahead', 'behind'] as const).map((side) => (
          <RivalItem key={side} {...{ trackId, rivals, side }} />
        ))}
      </ul>
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

type RivalItemProps = { trackId: TrackId; rivals: Rivals; side: 'ahead' | 'behind' };

function RivalItem({ trackId, rivals, side }: RivalItemProps) {
  const rival = rivals[side];
  if (rival === null) {
    const text = describeNoRival(rivals, side);
    return text && <li className={classNames(styles['rival'], styles['empty'])}>{text}</li>;
  }
  return (
    <li className={styles['rival']}>
      <span className={styles['rank']}>P{rival.record.rank}</span>
      <Driver record={rival.record} avatarSize={24} />
      <span className={styles['times']}>
        <LapTimeLink
          trackId={trackId}
          lapId={rival.record.lapId}
          lapTimeMs={rival.record.lapTimeMs}
          className={styles['time']}
        />
        <span className={styles['gap']}>{formatGapTo(rival, side)}</span>
      </span>
    </li>
  );
}

function RivalsSkeleton() {
  return ['board', 'class', 'car'].map((scope) => (
    <div key={scope}>
      <Skeleton width="60%" height={18} />
    </div>
  ));
}

function scopeTitle({ scope }: Rivals, own: BoardRecord): string {
  if (scope === 'class') return `In your class, ${own.carRaceClass ?? ''}`;
  return scope === 'car' ? `In your car, ${formatCarModel(own)}` : 'On this board';
}
