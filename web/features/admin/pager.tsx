import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { formatCount } from '#web/ui/format-count.ts';
import type { PageOfRows } from './paging.ts';
import styles from './pager.module.css';

type PagerProps = {
  /** What is on the pages, such as `tracks`. */
  noun: string;
  page: PageOfRows<unknown>;
  total: number;
  onPage: (page: number) => void;
};

/** The way through the pages of a long table; nothing where there is only one. */
export function Pager({ noun, page: { page, pageCount, first, last }, total, onPage }: PagerProps) {
  if (pageCount === 1) return null;
  const step = (label: string, to: number, icon: React.ReactNode) => {
    const isPossible = to >= 0 && to < pageCount;
    return (
      <Button
        size="small"
        aria-label={`${label} page of ${noun}`}
        // It keeps the focus on the last page, too.
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
