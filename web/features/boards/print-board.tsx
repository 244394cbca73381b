import { Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { IconButton } from '#web/ui/button.tsx';
import { formatCount } from '#web/ui/format.ts';
import { type BoardFilter, describeFilter } from './board-filter.ts';
import type { useBoard } from './board-query.ts';
import styles from './print-board.module.css';

type LoadedBoard = ReturnType<typeof useBoard>;

// Some seven sheets. Whoever wants more scrolls further first: what has been loaded is printed.
const PRINTED_ROWS_MIN = 300;

/** Prints the board as it is filtered, after its first places have been loaded. */
export function PrintButton({ loaded }: { loaded: LoadedBoard }) {
  const { board, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = loaded;
  const [isAsked, setIsAsked] = useState(false);
  const rowCount = board?.records.length ?? 0;
  // What has come before a failure is printed.
  const isReady = !hasNextPage || rowCount >= PRINTED_ROWS_MIN || isFetchNextPageError;

  useEffect(() => {
    if (!isAsked) return undefined;
    if (!isReady) {
      if (!isFetchingNextPage) void fetchNextPage();
      return undefined;
    }
    const onEnd = () => setIsAsked(false);
    window.addEventListener('afterprint', onEnd);
    window.print();
    return () => window.removeEventListener('afterprint', onEnd);
  }, [isAsked, isReady, isFetchingNextPage, fetchNextPage]);

  return (
    <IconButton
      label="Print"
      icon={<Printer size={18} aria-hidden="true" />}
      pending={isAsked}
      disabled={rowCount === 0 || loaded.isPlaceholderData}
      onClick={() => setIsAsked(true)}
    />
  );
}

/** On paper only: what the board shows, when it was printed, and where it stands. */
export function PrintedFacts({ filter, loaded }: { filter: BoardFilter; loaded: LoadedBoard }) {
  const printedAt = usePrintTime();
  const count = loaded.board?.records.length ?? 0;
  return (
    <div className={styles['facts']}>
      <p>
        {describeFilter(filter) || 'All laps of all time'}
        {loaded.hasNextPage && ` · the first ${formatCount(count)} places`}
      </p>
      <p>
        Printed {formatDay(printedAt)} from {window.location.host + window.location.pathname}
      </p>
    </div>
  );
}

/** A page may stay open for days before it is printed. */
function usePrintTime(): Date {
  const [time, setTime] = useState(() => new Date());
  useEffect(() => {
    const onPrint = () => flushSync(() => setTime(new Date()));
    window.addEventListener('beforeprint', onPrint);
    return () => window.removeEventListener('beforeprint', onPrint);
  }, []);
  return time;
}

// By hand: the browser's own formatting of dates takes 15 ms to begin with, four times that on a phone, on every visit.
function formatDay(date: Date): string {
  return [date.getMonth() + 1, date.getDate(), date.getFullYear() % 100]
    .map((part) => String(part).padStart(2, '0'))
    .join('/');
}

/** Whether the page is being printed: what it draws then is what goes on paper. */
export function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const onBegin = () => flushSync(() => setIsPrinting(true));
    const onEnd = () => setIsPrinting(false);
    window.addEventListener('beforeprint', onBegin);
    window.addEventListener('afterprint', onEnd);
    return () => {
      window.removeEventListener('beforeprint', onBegin);
      window.removeEventListener('afterprint', onEnd);
    };
  }, []);
  return isPrinting;
}
