/** How many rows of a long table are drawn at once: few enough to stay quick, enough to read on. */
export const PAGE_ROWS = 25;

export type PageOfRows<T> = {
  rows: readonly T[];
  /** From 0; the last one where a later page was asked for. */
  page: number;
  pageCount: number;
  /** Place of the first row among all, from 1; 0 where there are none. */
  first: number;
  last: number;
};

/** One page of `rows`. */
export function pageOf<T>(rows: readonly T[], page: number): PageOfRows<T> {
  const pageCount = Math.max(1, Math.ceil(rows.length / PAGE_ROWS));
  const shown = Math.min(Math.max(page, 0), pageCount - 1);
  const start = shown * PAGE_ROWS;
  const last = Math.min(start + PAGE_ROWS, rows.length);
  return { rows: rows.slice(start, last), page: shown, pageCount, first: Math.min(start + 1, last), last };
}

/** The page on which the row at `index`, from 0, stands. */
export function pageWith(index: number): number {
  return Math.floor(Math.max(index, 0) / PAGE_ROWS);
}
