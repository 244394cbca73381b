import Printer from 'lucide-react/icons/printer';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { IconButton } from '#web/ui/button.tsx';
import { formatCount, formatLapDate } from '#web/ui/format.ts';
import { useBrowserValue } from '#web/ui/use-browser-value.ts';
import { describeFilter, type BoardFilter } from './board-filter.ts';
import type { useBoard } from './board-query.ts';
import styles from './print-board.module.css';

type LoadedBoard = ReturnType<typeof useBoard>;
type BoardPages = Awaited<ReturnType<LoadedBoard['fetchNextPage']>>;

// These are about seven sheets. Rows that scrolling has loaded before are printed as well.
const PRINTED_ROWS_MIN = 300;

/** Prints the board as it is filtered, after its first rows are loaded. */
export function PrintButton({ loaded }: { loaded: LoadedBoard }) {
  const [isRequested, setIsRequested] = useState(false);
  const isReady = !lacksPrintedRows(loaded);

  useEffect(() => {
    if (!isRequested || !isReady) return undefined;
    const onEnd = () => setIsRequested(false);
    window.addEventListener('afterprint', onEnd);
    window.print();
    return () => window.removeEventListener('afterprint', onEnd);
  }, [isRequested, isReady]);

  async function print(): Promise<void> {
    setIsRequested(true);
    let result: BoardPages = loaded;
    while (lacksPrintedRows(result)) result = await result.fetchNextPage();
  }

  return (
    <IconButton
      label="Print"
      icon={<Printer size={18} aria-hidden="true" />}
      pending={isRequested}
      disabled={countRows(loaded) === 0 || loaded.isPlaceholderData}
      onClick={() => void print()}
    />
  );
}

/** Returns true if the board needs more pages before printing; after a failure, those loaded are printed. */
function lacksPrintedRows(pages: BoardPages): boolean {
  return pages.hasNextPage && !pages.isFetchNextPageError && countRows(pages) < PRINTED_ROWS_MIN;
}

function countRows({ data }: BoardPages): number {
  return data?.pages.reduce((count, page) => count + page.length, 0) ?? 0;
}

/** Prints the filters of the board, the day of printing and the URL; the screen does not show them. */
export function PrintedFacts({ filter, loaded }: { filter: BoardFilter; loaded: LoadedBoard }) {
  const printedOn = usePrintDay();
  const count = loaded.board?.records.length ?? 0;
  return (
    <div className={styles['facts']}>
      <p>
        {describeFilter(filter) || 'All laps of all time'}
        {loaded.hasNextPage && ` · the first ${formatCount(count)} places`}
      </p>
      {printedOn !== null && (
        <p>
          Printed {printedOn} from {window.location.host + window.location.pathname}
        </p>
      )}
    </div>
  );
}

/** Returns the current day: a page may be open for days; null on the server, which may be in another time zone. */
function usePrintDay(): string | null {
  return useBrowserValue(() => formatLapDate(localDay(new Date())), null, subscribeToPrinting);
}

function subscribeToPrinting(onChange: () => void): () => void {
  const onPrint = () => flushSync(onChange);
  window.addEventListener('beforeprint', onPrint);
  return () => window.removeEventListener('beforeprint', onPrint);
}

function localDay(date: Date): string {
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

/** Returns true while the page is printed, when it renders the content for paper. */
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
