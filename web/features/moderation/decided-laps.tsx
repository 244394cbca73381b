import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import type { DecidedLap } from '#contract/moderation/evidence.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { formatLapDate } from '#web/ui/format.ts';
import { lapHref } from '#web/ui/lap-url.ts';
import { pageFrom, Pager, pageRows } from '#web/ui/pager.tsx';
import { FlagPicture } from '#web/ui/picture.tsx';
import { EmptyState, QueryState } from '#web/ui/state-message.tsx';
import { UndoDecision } from '#web/ui/undo-decision.tsx';
import type { ListRef } from './moderation.tsx';
import styles from './moderation.module.css';

const decidedQuery = (rows: { limit: number; offset: number }) => ({
  ...apiQuery('GET /api/admin/decided-laps', { query: rows }),
  placeholderData: keepPreviousData,
  // Others decide meanwhile.
  staleTime: 0,
});

const LAST = { limit: 3, offset: 0 };

/** Shows the latest decisions below the queue, each with its undo; takes the focus after a decision. */
export function DecidedLast({ list }: { list: ListRef }) {
  const { data } = useQuery(decidedQuery(LAST));
  return (
    <section ref={list} tabIndex={-1} aria-label="Decided last" className={styles['decided']}>
      {data && data.laps.length > 0 && (
        <>
          <h2>Decided last</h2>
          <DecidedList laps={data.laps} focusAfter={list} />
        </>
      )}
    </section>
  );
}

/** Lists all decisions in force, latest first. */
export function DecidedLaps() {
  const [page, setPage] = useState(0);
  const list = useRef<HTMLElement>(null);
  const query = useQuery(decidedQuery(pageRows(page)));
  const { data } = query;
  const state = <QueryState noun="decisions" query={query} />;
  if (!data) return state;
  if (data.total === 0)
    return (
      <EmptyState title="Nothing decided yet" picture={<FlagPicture />}>
        Every decision stays here and can be undone.
      </EmptyState>
    );
  return (
    <section ref={list} tabIndex={-1} aria-label="Decisions" className={styles['decided']}>
      {state}
      <DecidedList laps={data.laps} isLong focusAfter={list} />
      <Pager
        noun="decisions"
        page={pageFrom(data.laps, page, data.total)}
        total={data.total}
        onPage={setPage}
      />
    </section>
  );
}

type DecidedListProps = { laps: readonly DecidedLap[]; isLong?: boolean; focusAfter: ListRef };

function DecidedList({ laps, isLong = false, focusAfter }: DecidedListProps) {
  return (
    <ul>
      {laps.map((lap) => (
        <li key={lap.lapId}>
          <div>
            <Link href={lapHref(lap.trackId, { lapId: lap.lapId, otherIds: [] })}>
              {lap.userName}, {formatLapTime(lap.lapTimeMs)}
            </Link>
            <p>
              {describeDecision(lap)}
              {isLong && `, ${lap.trackName}`}
            </p>
            {isLong && lap.reason !== null && <p>“{lap.reason}”</p>}
            {isLong && lap.whyNot !== null && <p>{lap.whyNot}</p>}
          </div>
          <UndoDecision lap={lap} focusAfter={focusAfter} />
        </li>
      ))}
    </ul>
  );
}

function describeDecision({ verdict, isOwnDecision, decidedByName, decidedAt }: DecidedLap): string {
  const who = isOwnDecision ? 'you' : (decidedByName ?? 'a moderator');
  return `${verdict === 'keep' ? 'Kept' : 'Rejected'} by ${who}, ${formatLapDate(decidedAt)}`;
}
