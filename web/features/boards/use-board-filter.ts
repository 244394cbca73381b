import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { readFilter, writeFilter, type BoardFilter } from './board-filter.ts';

/** The filters in the page's address: a link shows the same board, and Back undoes the last change. */
export function useBoardFilter(): [filter: BoardFilter, change: (filter: BoardFilter) => void] {
  const [search, setSearch] = useSearchParams();
  const filter = useMemo(() => readFilter(search), [search]);
  return [filter, (changed) => setSearch((current) => writeFilter(current, changed))];
}
