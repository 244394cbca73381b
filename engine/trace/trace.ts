import { at, pickFixes, type FixColumns } from '../fix-columns.ts';
import { isNullIsland, isOnEarth, roughDistanceMeters } from '../geo.ts';
import { findReceiverInterval } from './resampled-rows.ts';
import type { DropCounts, DropReason, LapFile } from '../lap-file.ts';
import { removeClockGlitches } from './clock-glitches.ts';
import { correctLateStamps } from './late-stamps.ts';
import { unwrapMidnight, readTimestamps } from './timestamps.ts';
import { toTraceAccuracy, type TraceAccuracy } from './receiver-accuracy.ts';
import { median, medianIntervalMs } from '../statistics.ts';

/** Describes the fixes of a lap file that laps are timed on: in strict order of time, no two neighbours at the same position. */
export type Trace = {
  fixes: FixColumns;
  /** Index of the first fix of every unbroken part; begins with 0, empty for an empty trace. */
  partStarts: number[];
  /** Median time between positions that differ; null with fewer than two fixes. */
  intervalMs: number | null;
  /** The time between the receiver's own fixes where the rows in between are interpolated; null where none are. */
  receiverIntervalMs: number | null;
  /** Stamps are cut to whole multiples of this; 0 where no such cut is visible. */
  timestampStepMs: number;
  /** Accuracy that the receiver claims; null where the file does not tell. */
  accuracy: TraceAccuracy | null;
  /** True where it is unknown when the fixes were taken: laps are shown, but do not count. */
  hasCoarseTimestamps: boolean;
  /** Moments at which the trace left out, or broke at, a move that no car makes. */
  jumpTimesMs: number[];
  /** Moments at which the clock was set back by more than the receiver's own irregularity. */
  clockSetBackTimesMs: number[];
  /** Rows that did not become fixes, those of the format included. */
  dropped: DropCounts;
};

// A longer step is a pause of the recording or a lost signal: what the car did in between is unknown.
const GAP_MIN_MS = 5000;
const GAP_MIN_INTERVALS = 5;

/** Returns the time between two fixes from which on a trace breaks, by its usual interval. */
export function gapMsAt(intervalMs: number | null): number {
  return Math.max(GAP_MIN_MS, GAP_MIN_INTERVALS * (intervalMs ?? 0));
}
/** The fastest race cars reach 105 m/s. */
export const CAR_SPEED_MAX_METERS_PER_SECOND = 120;
/** Receivers correct themselves by some metres at once, which is no jump yet. */
export const CORRECTION_MAX_METERS = 15;
/** A step is short that is less than this in either direction. */
const SHORT_STEP_DEGREES = 0.00009;
/** A position that is wrong for a moment: the trace goes on from where it was within so many fixes. */
const OUTLIER_FIXES_MAX = 3;
/** A car that stood this still while its position was held did not leave. */
const STANDING_MAX_METERS = 10;
const SET_BACK_MIN_MS = 250;

type RowRange = { start: number; end: number };

type Cleaning = {
  fixes: FixColumns;
  timesMs: Float64Array;
  gapMs: number;
  /** Rows that become fixes. */
  kept: Int32Array;
  keptCount: number;
  partStarts: number[];
  jumpTimesMs: number[];
  clockSetBackTimesMs: number[];
  drops: Map<DropReason, number>;
  /** The latest row at the place of the last kept one; -1 where the last kept row is the latest itself. */
  heldRow: number;
  /** The next fix to be kept begins a part: the file marks a hole in front of it. */
  isAfterHole: boolean;
};

/** Puts the fixes of a lap file in order and leaves out what cannot be true, counting each by reason. */
export function buildTrace(rawFile: LapFile): Trace {
  const lapFile = removeClockGlitches(rawFile);
  const stamps = readTimestamps(
    lapFile.clock === 'time_of_day' ? unwrapMidnight(lapFile.fixes) : lapFile.fixes,
  );
  const cleaning: Cleaning = {
    fixes: lapFile.fixes,
    timesMs: stamps.timesMs,
    gapMs: gapMsAt(changeIntervalMs(lapFile.fixes, stamps.timesMs)),
    // A standing car can add one row for each that is kept.
    kept: new Int32Array(2 * lapFile.fixes.length),
    keptCount: 0,
    partStarts: [],
    jumpTimesMs: [],
    clockSetBackTimesMs: [],
    drops: new Map(),
    heldRow: -1,
    isAfterHole: false,
  };
  const holes = [...(lapFile.holeTimesMs ?? [])].toSorted((a, b) => b - a);
  for (const stretch of rangesInOrder(lapFile, stamps.timesMs, cleaning.gapMs)) {
    for (let row = stretch.start; row < stretch.end; row += 1) {
      while (at(stamps.timesMs, row) >= (holes.at(-1) ?? Number.POSITIVE_INFINITY)) {
        holes.pop();
        cleaning.isAfterHole = true;
      }
      if (isPlainStep(cleaning, row)) keep(cleaning, row, false);
      else addRow(cleaning, row, stretch.end);
    }
  }
  const kept = keptFixes(cleaning);
  const intervalMs = medianIntervalMs(kept.timesMs, kept.length);
  const fixes = { ...kept, timesMs: correctLateStamps(kept, cleaning.partStarts, intervalMs) };
  return {
    fixes,
    partStarts: cleaning.partStarts,
    intervalMs,
    receiverIntervalMs:
      lapFile.receiverRateHz === null
        ? findReceiverInterval(fixes)
        : statedReceiverInterval(lapFile.receiverRateHz, intervalMs),
    timestampStepMs: stamps.stepMs,
    accuracy: toTraceAccuracy(lapFile.accuracy),
    hasCoarseTimestamps: stamps.areCoarse,
    jumpTimesMs: cleaning.jumpTimesMs,
    clockSetBackTimesMs: cleaning.clockSetBackTimesMs,
    dropped: sumCounts(lapFile.dropped, cleaning.drops),
  };
}

/** Returns the interval that the file states of its receiver where its rows are clearly more frequent than that. */
function statedReceiverInterval(receiverRateHz: number, intervalMs: number | null): number | null {
  const statedMs = 1000 / receiverRateHz;
  return intervalMs !== null && statedMs > 1.2 * intervalMs ? statedMs : null;
}

/** Returns the number of fixes a second, to three digits: how often the receiver gave a new position. Null with fewer than two fixes. */
export function gpsRateHz(trace: Trace): number | null {
  const intervalMs = trace.receiverIntervalMs ?? trace.intervalMs;
  return intervalMs === null ? null : Number((1000 / intervalMs).toPrecision(3));
}

/** Returns time between rows whose position differs: logger rows are often many times as frequent as positions. */
function changeIntervalMs(fixes: FixColumns, timesMs: Float64Array): number | null {
  const intervals: number[] = [];
  let last = 0;
  for (let row = 1; row < fixes.length && intervals.length < 4000; row += 1) {
    if (isSamePosition(fixes, row, last)) continue;
    const interval = at(timesMs, row) - at(timesMs, last);
    if (interval > 0) intervals.push(interval);
    last = row;
  }
  return median(intervals);
}

/** The runs of rows with a rising clock, in order of their times: parts of a file need not be in order. */
function rangesInOrder(lapFile: LapFile, timesMs: Float64Array, gapMs: number): RowRange[] {
  const stretches: RowRange[] = [];
  let [start, part] = [0, 0];
  let nextPart = 0;
  for (let row = 1; row <= lapFile.fixes.length; row += 1) {
    const isEnd = row === lapFile.fixes.length;
    while (nextPart < row) nextPart = lapFile.partStarts[(part += 1)] ?? Number.POSITIVE_INFINITY;
    if (!isEnd && row !== nextPart && !(at(timesMs, row) < at(timesMs, row - 1) - gapMs)) continue;
    stretches.push({ start, end: row });
    start = row;
  }
  return stretches.toSorted((a, b) => at(timesMs, a.start) - at(timesMs, b.start));
}

/** Returns a short step in a short time from the row before, as nearly all steps are: nothing more needs to be asked of it. */
function isPlainStep(
  { fixes, timesMs, kept, keptCount, gapMs, isAfterHole }: Cleaning,
  row: number,
): boolean {
  if (keptCount === 0 || kept[keptCount - 1] !== row - 1 || isAfterHole) return false;
  const latStep = Math.abs(at(fixes.lats, row) - at(fixes.lats, row - 1));
  const lonStep = Math.abs(at(fixes.lons, row) - at(fixes.lons, row - 1));
  const stepMs = at(timesMs, row) - at(timesMs, row - 1);
  const isShort = latStep + lonStep > 0 && latStep < SHORT_STEP_DEGREES && lonStep < SHORT_STEP_DEGREES;
  return isShort && stepMs > 0 && stepMs <= gapMs && !isNullIsland(at(fixes.lats, row), at(fixes.lons, row));
}

function addRow(cleaning: Cleaning, row: number, end: number): void {
  const { fixes, timesMs } = cleaning;
  const fault = findFault(fixes, timesMs, row);
  if (fault !== null) return drop(cleaning, fault);
  if (cleaning.keptCount === 0) return keep(cleaning, row, true);
  const last = lastKept(cleaning);
  const latest = cleaning.heldRow === -1 ? last : cleaning.heldRow;
  const sinceMs = at(timesMs, row) - at(timesMs, latest);
  if (sinceMs === 0) return drop(cleaning, 'repeated_time');
  if (sinceMs < 0) return dropLate(cleaning, row);
  if (isSamePosition(fixes, row, last) && sinceMs <= cleaning.gapMs) {
    cleaning.heldRow = row;
    return drop(cleaning, 'held_position');
  }
  if (!isReachable(cleaning, last, row)) return addAfterJump(cleaning, row, end);
  keepStandstill(cleaning, row);
  return keep(cleaning, row, at(timesMs, row) - at(timesMs, lastKept(cleaning)) > cleaning.gapMs);
}

/** Returns a row older than the one before it: by a little, it is out of order; by more, the clock was set back. */
function dropLate(cleaning: Cleaning, row: number): void {
  const { timesMs, gapMs, clockSetBackTimesMs } = cleaning;
  const wentBackMs = at(timesMs, row - 1) - at(timesMs, row);
  // Beyond a gap, another stretch begins here, which says nothing about the clock of this one.
  if (wentBackMs > SET_BACK_MIN_MS && wentBackMs <= gapMs)
    clockSetBackTimesMs.push(at(timesMs, lastKept(cleaning)));
  drop(cleaning, 'clock_went_back');
}

/** A stationary car holds its position for long: that is no gap, so the end of the standstill is a fix too. */
function keepStandstill(cleaning: Cleaning, row: number): void {
  const { fixes, timesMs, heldRow, isAfterHole } = cleaning;
  const last = lastKept(cleaning);
  if (isAfterHole || heldRow === -1 || at(timesMs, row) - at(timesMs, last) <= cleaning.gapMs) return;
  if (metersBetween(fixes, last, row) > STANDING_MAX_METERS) return;
  keep(cleaning, heldRow, false);
  cleaning.drops.set('held_position', (cleaning.drops.get('held_position') ?? 0) - 1);
}

/** Leaves a short excursion out; where the trace goes on from elsewhere, it breaks. */
function addAfterJump(cleaning: Cleaning, row: number, end: number): void {
  cleaning.jumpTimesMs.push(at(cleaning.timesMs, row));
  let looked = 0;
  for (let next = row + 1; next < end && looked < OUTLIER_FIXES_MAX; next += 1) {
    if (isSamePosition(cleaning.fixes, next, next - 1)) continue;
    looked += 1;
    if (isReachable(cleaning, lastKept(cleaning), next)) return drop(cleaning, 'impossible_jump');
  }
  return keep(cleaning, row, true);
}

function isReachable(cleaning: Cleaning, from: number, to: number): boolean {
  const seconds = (at(cleaning.timesMs, to) - at(cleaning.timesMs, from)) / 1000;
  const reach = CAR_SPEED_MAX_METERS_PER_SECOND * seconds + CORRECTION_MAX_METERS;
  return metersBetween(cleaning.fixes, from, to) <= reach;
}

function findFault(fixes: FixColumns, timesMs: Float64Array, row: number): DropReason | null {
  const [lat, lon] = [at(fixes.lats, row), at(fixes.lons, row)];
  if (!Number.isFinite(at(timesMs, row))) return 'no_time';
  if (Number.isNaN(lat) || Number.isNaN(lon)) return 'no_position';
  if (!isOnEarth(lat, lon)) return 'out_of_range';
  return isNullIsland(lat, lon) ? 'no_position' : null;
}

function keep(cleaning: Cleaning, row: number, isNewPart: boolean): void {
  if (isNewPart || cleaning.isAfterHole) cleaning.partStarts.push(cleaning.keptCount);
  cleaning.isAfterHole = false;
  cleaning.kept[cleaning.keptCount] = row;
  cleaning.keptCount += 1;
  cleaning.heldRow = -1;
}

function drop(cleaning: Cleaning, reason: DropReason): void {
  cleaning.drops.set(reason, (cleaning.drops.get(reason) ?? 0) + 1);
}

function lastKept(cleaning: Cleaning): number {
  return cleaning.kept[cleaning.keptCount - 1] ?? 0;
}

function keptFixes({ fixes, timesMs, kept, keptCount }: Cleaning): FixColumns {
  const timed = { ...fixes, timesMs };
  const rows = kept.subarray(0, keptCount);
  // The file has all rows kept in order: no copy is needed, since the columns of a trace are never written to.
  return keptCount === fixes.length && isInOrder(rows) ? timed : pickFixes(timed, rows);
}

function isInOrder(rows: Int32Array): boolean {
  for (let index = 0; index < rows.length; index += 1) if (rows[index] !== index) return false;
  return true;
}

function isSamePosition(fixes: FixColumns, row: number, other: number): boolean {
  return at(fixes.lats, row) === at(fixes.lats, other) && at(fixes.lons, row) === at(fixes.lons, other);
}

function metersBetween(fixes: FixColumns, from: number, to: number): number {
  return roughDistanceMeters(fixes.lats, fixes.lons, from, to);
}

function sumCounts(counts: DropCounts, more: Map<DropReason, number>): DropCounts {
  const sum: DropCounts = { ...counts };
  for (const [reason, count] of more) if (count > 0) sum[reason] = (sum[reason] ?? 0) + count;
  return sum;
}
