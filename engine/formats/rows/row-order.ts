import { at, type FixColumns } from '../../fix-columns.ts';
import { median } from '../../statistics.ts';

/**
 * States the order of the rows of a file: mostly by time, with the newest first (all the way, but for a step or two
 * such as midnight), or none, as where a spreadsheet has sorted them by another column.
 */
export type RowOrder = 'by-time' | 'newest-first' | 'none';

/** Finds the order of the rows by the steps of their times. */
export function findRowOrder({ timesMs, length }: FixColumns): RowOrder {
  let [back, forward] = [0, 0];
  for (let index = 1; index < length; index++) {
    const stepMs = at(timesMs, index) - at(timesMs, index - 1);
    if (stepMs < 0) back++;
    else if (stepMs > 0) forward++;
  }
  if (back <= FEWEST_STEPS || back < BACK_SHARE_MIN * forward) return 'by-time';
  return forward <= back / 100 ? 'newest-first' : 'none';
}

const FEWEST_STEPS = 10;
// Rows in no order go back in half of their steps. Clocks that are corrected again and again go back far less often.
const BACK_SHARE_MIN = 0.25;

/**
 * Returns whether the rows are blocks of one recording in another order than that of their times, so that only sorting
 * brings them together. Several recordings in one file, whose clocks start again, have overlapping times: sorting them
 * would mix them. Whole sessions in another order need no sorting either: the trace puts them in order.
 */
export function isInBlocks({ timesMs, length }: FixColumns): boolean {
  const { late, runs } = studyOrder(timesMs, length);
  if (late <= LATE_SHARE_MAX * length || areSessions(runs)) return false;
  const usualMs = median(positiveSteps(timesMs)) ?? 0;
  const sorted = timesMs.toSorted();
  return closeShare(sorted, usualMs) <= closeShare(timesMs, usualMs) + OVERLAP_SHARE_MAX;
}

const LATE_MS = 1000;
const LATE_SHARE_MAX = 0.01;
// The blocks of a file that was pasted together may overlap a little.
const OVERLAP_SHARE_MAX = 0.1;
// The trace takes a longer step back for the beginning of another stretch of rows.
const SESSION_STEP_MS = 60_000;

type Run = { startMs: number; endMs: number; stepBackMs: number };

/** Counts the rows that are older than one before them, and lists the runs of rows from one step back to the next. */
function studyOrder(timesMs: Float64Array, length: number): { late: number; runs: Run[] } {
  const runs: Run[] = [];
  let [late, latestMs] = [0, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < length; index++) {
    const timeMs = at(timesMs, index);
    const beforeMs = index === 0 ? Number.POSITIVE_INFINITY : at(timesMs, index - 1);
    if (timeMs < latestMs - LATE_MS) late++;
    if (timeMs < beforeMs - LATE_MS)
      runs.push({ startMs: timeMs, endMs: timeMs, stepBackMs: beforeMs - timeMs });
    latestMs = Math.max(latestMs, timeMs);
    const run = runs.at(-1);
    if (run !== undefined) run.endMs = Math.max(run.endMs, timeMs);
  }
  return { late, runs };
}

function areSessions(runs: readonly Run[]): boolean {
  const inOrder = runs.toSorted((a, b) => a.startMs - b.startMs);
  return (
    runs.every(({ stepBackMs }) => stepBackMs > SESSION_STEP_MS) &&
    inOrder.every(({ startMs }, index) => startMs >= (inOrder[index - 1]?.endMs ?? startMs))
  );
}

function positiveSteps(timesMs: Float64Array): Float64Array {
  return timesMs
    .subarray(1)
    .map((timeMs, index) => timeMs - at(timesMs, index))
    .filter((stepMs) => stepMs > 0);
}

/** Returns the share of steps forward that are shorter than half of the usual one. */
function closeShare(timesMs: Float64Array, usualMs: number): number {
  let close = 0;
  for (let index = 1; index < timesMs.length; index++) {
    const stepMs = at(timesMs, index) - at(timesMs, index - 1);
    if (stepMs >= 0 && stepMs < usualMs / 2) close++;
  }
  return close / Math.max(1, timesMs.length);
}
