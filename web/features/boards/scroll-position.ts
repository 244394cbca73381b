import { useEffect, useLayoutEffect, useMemo, useRef, type RefObject } from 'react';
import type { BoardFilter } from './board-filter.ts';
import { GROUP_ROWS, type LongBoard } from './board-pages.ts';

// Where a reader is on a board is remembered by the row, not by the pixel: rows wrap differently once a phone was turned, and
// after a reload they have to be asked for first. It stands in the entry of the browser's history, so each visit has its own.

/** The first row below the head of the page: its lap, its index among the records, and where in the window it begins. */
export type ScrollPosition = { lapId: string; index: number; topPx: number };

const STATE_NAME = 'boardPlace';
const SAVE_AFTER_MS = 100;
// Rows that come near the window turn out taller or lower than their place, and the browser, too, goes to where it was.
const STEADY_FRAMES = 12;
const FRAMES_MAX = 180;

/** The place that the present entry of the history remembers; another filter is another entry. */
export function useSavedScrollPosition(filter: BoardFilter): ScrollPosition | null {
  // oxlint-disable-next-line react/exhaustive-deps -- The entry changes with the filter.
  return useMemo(() => readPlace(history.state), [filter]);
}

type Shown = {
  board: LongBoard;
  /** The `aria-rowindex` of the first record. */
  firstRowIndex: number;
  /** The records are those of an earlier question. */
  isStale: boolean;
  /** Where the reader was, and whether more records are on their way to there. */
  remembered: ScrollPosition | null;
  isReaching: boolean;
};

/** Goes to the remembered place, stays at its row when the width of the window changes, and remembers each later one. */
export function useScrollPosition(table: RefObject<HTMLTableElement | null>, shown: Shown): void {
  const latest = useRef(shown);
  const keeper = useRef<Keeper>(undefined);
  useLayoutEffect(() => {
    latest.current = shown;
    keeper.current?.arrive();
  });
  useEffect(() => {
    if (!table.current) return undefined;
    keeper.current = keepPlace(table.current, () => latest.current);
    keeper.current.arrive();
    return keeper.current.end;
  }, [table]);
}

type Keeper = { arrive: () => void; end: () => void };

// A table that is drawn anew does not go there once more.
const reached = new WeakSet<ScrollPosition>();

function keepPlace(table: HTMLTableElement, shown: () => Shown): Keeper {
  const listening = new AbortController();
  let place = shown().remembered;
  let widthPx = window.innerWidth;
  let saveTimer: number | undefined;
  let isHeld = false;

  function hold(index: number, topPx: number): void {
    isHeld = true;
    holdRow(table, { index, topPx, shown, onEnd: () => (isHeld = false) });
  }

  function save(): void {
    window.clearTimeout(saveTimer);
    saveTimer = undefined;
    if (isHeld || shown().isStale) return;
    place = findPlace(table, shown());
    history.replaceState({ ...history.state, [STATE_NAME]: place }, '');
  }

  const saveSoon = () => (saveTimer ??= window.setTimeout(save, SAVE_AFTER_MS));
  const saveNow = () => saveTimer !== undefined && save();
  const { signal } = listening;
  window.addEventListener('scroll', saveSoon, { signal, passive: true });
  // Whoever follows a link at once has not been there for long enough.
  window.addEventListener('click', saveNow, { signal, capture: true });
  window.addEventListener('pagehide', saveNow, { signal });
  window.addEventListener(
    'resize',
    () => {
      if (window.innerWidth === widthPx) return;
      widthPx = window.innerWidth;
      const index = place && findRecordIndex(place, shown());
      if (place && index !== null) hold(index, place.topPx);
    },
    { signal },
  );

  return {
    arrive: () => {
      const { remembered, isStale } = shown();
      if (!remembered || isStale || reached.has(remembered)) return;
      const index = findRecordIndex(remembered, shown());
      if (index === null) return;
      reached.add(remembered);
      hold(index, remembered.topPx);
    },
    end: () => {
      listening.abort();
      window.clearTimeout(saveTimer);
    },
  };
}

/** Where a lap stands now, or who stands in its place; null while more records are on their way. */
function findRecordIndex(place: ScrollPosition, { board: { records }, isReaching }: Shown): number | null {
  const isAtLapId = ({ lapId }: { lapId: string }) => lapId === place.lapId;
  const known = records[place.index];
  if (known && isAtLapId(known)) return place.index;
  const index = records.findIndex(isAtLapId);
  if (index !== -1) return index;
  return isReaching ? null : Math.min(place.index, records.length - 1);
}

type Held = { index: number; topPx: number; shown: () => Shown; onEnd: () => void };

/** Scrolls until a row stands where it should and nothing moves it any more, or the reader goes elsewhere. */
function holdRow(table: HTMLTableElement, { index, topPx, shown, onEnd }: Held): void {
  const listening = new AbortController();
  let isEnded = false;
  let frames = 0;
  let steadyFrames = 0;
  const end = () => {
    isEnded = true;
    listening.abort();
    onEnd();
  };
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    window.addEventListener(type, end, { signal: listening.signal, passive: true });
  }
  const step = () => {
    if (isEnded) return;
    const offPx = findTopPx(table, index, shown()) - topPx;
    steadyFrames = Math.abs(offPx) < 1 ? steadyFrames + 1 : 0;
    if (steadyFrames === 0) window.scrollBy({ top: offPx, behavior: 'instant' });
    frames += 1;
    if (!table.isConnected || steadyFrames > STEADY_FRAMES || frames > FRAMES_MAX) end();
    else requestAnimationFrame(step);
  };
  step();
}

/** Where a row begins in the window; about where, as long as it is not drawn. */
function findTopPx(table: HTMLTableElement, index: number, { board, firstRowIndex }: Shown): number {
  const row = table.querySelector(`tr[aria-rowindex="${firstRowIndex + index}"]`);
  if (row) return row.getBoundingClientRect().top;
  const part = table.tBodies[Math.floor(index / GROUP_ROWS) + (board.own ? 1 : 0)];
  const { top, height } = (part ?? table).getBoundingClientRect();
  return top + ((index % GROUP_ROWS) / GROUP_ROWS) * height;
}

/** The first row that begins below the head of the page; null where the first of the board does. */
function findPlace(table: HTMLTableElement, { board, firstRowIndex }: Shown): ScrollPosition | null {
  const headPx = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  // The parts first: to ask where a row is draws the part that it is in.
  const part = Array.from(table.tBodies).find((part) => part.getBoundingClientRect().bottom > headPx);
  const row = Array.from(part?.rows ?? []).find((row) => row.getBoundingClientRect().top > headPx - 1);
  const index = Number(row?.ariaRowIndex ?? 0) - firstRowIndex;
  const record = board.records[index];
  if (!row || !record || index < 1) return null;
  return { lapId: record.lapId, index, topPx: row.getBoundingClientRect().top };
}

function readPlace(state: unknown): ScrollPosition | null {
  const place: unknown = Object(state)[STATE_NAME];
  return isPlace(place) ? place : null;
}

function isPlace(value: unknown): value is ScrollPosition {
  const { lapId, index, topPx } = Object(value);
  return typeof lapId === 'string' && Number.isInteger(index) && Number.isFinite(topPx);
}
