import { useEffect, useLayoutEffect, useMemo, useRef, type RefObject } from 'react';
import type { LapId } from '#contract/ids.ts';
import { useBrowserValue } from '#web/ui/use-browser-value.ts';
import { GROUP_ROWS, type LongBoard } from './board-pages.ts';
import type { BoardFilter } from './board-filter.ts';

// The scroll position on a board is saved as a row, not in pixels: rows wrap differently after a phone is turned, and
// after a reload they have to be fetched first. It is saved in the entry of the browser's history, so each visit has
// its own.

/** The first row below the header of the page: its lap, its index among the records, and its top edge in the window. */
export type ScrollPosition = { lapId: LapId; index: number; topPx: number };

const STATE_NAME = 'scrollPosition';
const SAVE_AFTER_MS = 100;

/** Returns the position saved in the current entry of the history; another filter is another entry. */
export function useSavedScrollPosition(filter: BoardFilter): ScrollPosition | null {
  // The server's page has no saved position, and hydration begins with the same state.
  const isHydrated = useBrowserValue(() => true, false);
  // oxlint-disable-next-line react/exhaustive-deps -- The entry changes with the filter.
  return useMemo(() => (isHydrated ? readScrollPosition(history.state) : null), [filter, isHydrated]);
}

// These rows fill the window below the first row in it.
const ROWS_BELOW = 50;

/** Returns the number of records that have to be loaded to go to a saved position. */
export function countWantedRows(saved: ScrollPosition | null): number {
  return saved ? saved.index + ROWS_BELOW : 0;
}

type ShownBoard = {
  board: LongBoard;
  /** The `aria-rowindex` of the first record. */
  firstRowIndex: number;
  /** The records belong to an earlier filter. */
  isStale: boolean;
  saved: ScrollPosition | null;
  /** True while records up to the saved position are missing. */
  isReaching: boolean;
};

/** Restores the saved position, keeps its row in place when the width of the window changes, and saves every later position. */
export function useScrollPosition(table: RefObject<HTMLTableElement | null>, shown: ShownBoard): void {
  const latest = useRef(shown);
  const restorer = useRef<Restorer>(undefined);
  useLayoutEffect(() => {
    latest.current = shown;
    restorer.current?.restore();
  });
  useEffect(() => {
    if (!table.current) return undefined;
    restorer.current = trackScrollPosition(table.current, () => latest.current);
    restorer.current.restore();
    return restorer.current.stop;
  }, [table]);
}

type Restorer = { restore: () => void; stop: () => void };

// A table that is mounted again does not scroll to the same position a second time.
const restored = new WeakSet<ScrollPosition>();

function trackScrollPosition(table: HTMLTableElement, getShown: () => ShownBoard): Restorer {
  const listening = new AbortController();
  let position = getShown().saved;
  let widthPx = window.innerWidth;
  let saveTimer: number | undefined;

  function save(): void {
    window.clearTimeout(saveTimer);
    saveTimer = undefined;
    if (getShown().isStale) return;
    position = measureScrollPosition(table, getShown());
    // The browser restores pixels, but rows may have other heights by then.
    history.scrollRestoration = position ? 'manual' : 'auto';
    history.replaceState({ ...history.state, [STATE_NAME]: position }, '');
  }

  const saveSoon = () => (saveTimer ??= window.setTimeout(save, SAVE_AFTER_MS));
  const saveNow = () => saveTimer !== undefined && save();
  const { signal } = listening;
  window.addEventListener('scroll', saveSoon, { signal, passive: true });
  // The reader may follow a link before the timer runs.
  window.addEventListener('click', saveNow, { signal, capture: true });
  window.addEventListener('pagehide', saveNow, { signal });
  window.addEventListener(
    'resize',
    () => {
      if (window.innerWidth === widthPx) return;
      widthPx = window.innerWidth;
      const index = position && findRecordIndex(position, getShown());
      if (position && index !== null) placeRow(table, index, position.topPx, getShown());
    },
    { signal },
  );

  return {
    restore: () => {
      const { saved, isStale } = getShown();
      if (!saved || isStale || restored.has(saved)) return;
      const index = findRecordIndex(saved, getShown());
      if (index === null) return;
      restored.add(saved);
      placeRow(table, index, saved.topPx, getShown());
    },
    stop: () => {
      listening.abort();
      window.clearTimeout(saveTimer);
    },
  };
}

/** Finds the group of rows that holds the saved lap; null without one, and while more records are missing. */
export function findSavedGroup({
  saved,
  ...shown
}: Pick<ShownBoard, 'board' | 'saved' | 'isReaching'>): number | null {
  const index = saved && findRecordIndex(saved, shown);
  return index === null ? null : Math.floor(index / GROUP_ROWS);
}

/** Finds the index of a saved lap, or of the record that is at its index now; null while more records are missing. */
function findRecordIndex(
  saved: ScrollPosition,
  { board: { records }, isReaching }: Pick<ShownBoard, 'board' | 'isReaching'>,
): number | null {
  if (records[saved.index]?.lapId === saved.lapId) return saved.index;
  const index = records.findIndex(({ lapId }) => lapId === saved.lapId);
  if (index !== -1) return index;
  return isReaching ? null : Math.min(saved.index, records.length - 1);
}

/** Scrolls until a row is at `topPx`. The browser's scroll anchoring keeps it there while groups above change. */
function placeRow(
  table: HTMLTableElement,
  index: number,
  topPx: number,
  { firstRowIndex }: ShownBoard,
): void {
  const row = table.querySelector(`tr[aria-rowindex="${firstRowIndex + index}"]`);
  if (row) window.scrollBy({ top: row.getBoundingClientRect().top - topPx, behavior: 'instant' });
}

/** Returns the first row that begins below the header of the page; null at the top of the board. */
function measureScrollPosition(
  table: HTMLTableElement,
  { board, firstRowIndex }: ShownBoard,
): ScrollPosition | null {
  const headerPx = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  // The groups come first: measuring a row makes the browser lay out its whole group.
  const group = Array.from(table.tBodies).find((group) => group.getBoundingClientRect().bottom > headerPx);
  const row = Array.from(group?.rows ?? []).find((row) => row.getBoundingClientRect().top > headerPx - 1);
  const index = Number(row?.ariaRowIndex ?? 0) - firstRowIndex;
  const record = board.records[index];
  if (!row || !record || index < 1) return null;
  return { lapId: record.lapId, index, topPx: row.getBoundingClientRect().top };
}

/** Reads the position from the state of an entry of the browser's history. */
export function readScrollPosition(state: unknown): ScrollPosition | null {
  const position: unknown = Object(state)[STATE_NAME];
  return isScrollPosition(position) ? position : null;
}

function isScrollPosition(value: unknown): value is ScrollPosition {
  const { lapId, index, topPx } = Object(value);
  return typeof lapId === 'string' && Number.isInteger(index) && Number.isFinite(topPx);
}
