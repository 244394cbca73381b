import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useEffect, useEffectEvent } from 'react';
import { Button } from './button.tsx';
import { formatCount } from './format.ts';
import styles from './admin.module.css';

type PagerProps = {
  /** The noun for the rows, such as `tracks`. */
  noun: string;
  page: RowPage<unknown>;
  total: number;
  onPage: (page: number) => void;
};

/** Shows the buttons for the pages of a long table; renders nothing for a single page. Leads from a page that is gone to the last one. */
export function Pager({ noun, page: { page, pageCount, first, last }, total, onPage }: PagerProps) {
  const stepBack = useEffectEvent(onPage);
  useEffect(() => {
    if (page >= pageCount) stepBack(pageCount - 1);
  }, [page, pageCount]);
  if (pageCount === 1) return null;
  const step = (label: string, to: number, icon: React.ReactNode) => {
    const isPossible = to >= 0 && to < pageCount;
    return (
      <Button
        size="small"
        aria-label={`${label} page of ${noun}`}
        // The button keeps the focus on the last page, too.
        aria-disabled={!isPossible}
        onClick={() => isPossible && onPage(to)}
      >
        {icon}
      </Button>
    );
  };
  return (
    <nav className={styles['pager']} aria-label={`Pages of ${noun}`}>
      {step('Previous', page - 1, <ChevronLeft size={18} aria-hidden="true" />)}
      <p aria-live="polite">
        {formatCount(first)} to {formatCount(last)} of {formatCount(total)}
      </p>
      {step('Next', page + 1, <ChevronRight size={18} aria-hidden="true" />)}
    </nav>
  );
}

/** A page is short enough to render quickly. */
export const PAGE_ROWS = 25;

export type RowPage<T> = {
  rows: readonly T[];
  /** The number of the page from 0, limited to the last page. */
  page: number;
  pageCount: number;
  /** The number of the first row, from 1; 0 without rows. */
  first: number;
  last: number;
};

export function paginate<T>(rows: readonly T[], page: number): RowPage<T> {
  const pageCount = Math.max(1, Math.ceil(rows.length / PAGE_ROWS));
  const shown = Math.min(Math.max(page, 0), pageCount - 1);
  const start = shown * PAGE_ROWS;
  const last = Math.min(start + PAGE_ROWS, rows.length);
  return { rows: rows.slice(start, last), page: shown, pageCount, first: Math.min(start + 1, last), last };
}

/** Returns the page that holds the row at `index`, from 0. */
export function findPageIndex(index: number): number {
  return Math.floor(Math.max(index, 0) / PAGE_ROWS);
}

/** Returns what a call asks for to get one page of a list. */
export const pageRows = (page: number) => ({ limit: PAGE_ROWS, offset: page * PAGE_ROWS });

/** Returns one page of a list that the server has split. */
export function pageFrom<T>(rows: readonly T[], page: number, total: number): RowPage<T> {
  const first = Math.min(page * PAGE_ROWS + 1, total);
  const last = Math.min(page * PAGE_ROWS + rows.length, total);
  return { rows, page, pageCount: Math.max(1, Math.ceil(total / PAGE_ROWS)), first, last };
}
