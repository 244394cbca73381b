/**
 * RaceCapture has up to three clocks, and which of them are in a log depends on its age and its settings:
 *
 * - `Utc`, milliseconds since 1970, set by the receiver and 0 before it has a fix;
 * - `Time`, the time of day in UTC as digits without leading zeros (`50726.301` is 05:07:26.3), from the receiver as well, in MK1 logs at
 *   every fix and in later ones once a second. It went through single precision: after 13:10 it is up to 8 ms off;
 * - `Interval`, milliseconds of the processor, which has been seen to run slow by 0.27 %: a third of a second in a lap. Logs without it have
 *   rows in an even rhythm, whose numbers serve instead.
 *
 * So a clock of the receiver is used where it changes with the positions. Where it does not, the time of a fix is its latest reading and
 * one interval of the receiver for each fix since (racecapture-fix-times.ts); where the receiver keeps no even interval, `Interval` at
 * the pace of the receiver's clock.
 */
import { at } from '../../fix-columns.ts';
import type { Clock } from '../../lap-file.ts';
import { median } from '../../statistics.ts';
import { readRows, type TableRow } from '../text/csv-table.ts';
import { clockDigitsToMs } from '../rows/numeric-clock.ts';
import { timeLoggedFixes, type LoggedFix } from './racecapture-fix-times.ts';
import type { Section } from './racecapture-sections.ts';
import { DAY_MS } from '../../durations.ts';

/** Reads the time of a row from `columns`, the first of which is cell `slot`. NaN for no time. */
export type SectionClock = {
  columns: readonly (number | null)[];
  read: (row: TableRow, slot: number) => number;
};

/** Describes a clock of the receiver that a log has, and how its column is read by itself. */
type ReceiverClock = {
  clock: Clock;
  column: 'utc' | 'time';
  seen: SeenClock[];
  makeReader: () => (column: number | null) => SectionClock;
};

/** Chooses the clock of a whole log. Each section has its own reader. */
export function chooseClock(sections: readonly Section[]): {
  clock: Clock;
  forSection: (index: number) => SectionClock;
} {
  const studies = sections.map(studySection);
  const candidates = listReceiverClocks(studies);
  const [best] = candidates;
  const paces = best === undefined ? null : fitPaces(best.seen);
  const direct = candidates.find(({ seen }) => isFine(seen) || paces === null);
  if (direct !== undefined) {
    const read = direct.makeReader();
    return {
      clock: direct.clock,
      forSection: (index) => read(sections[index]?.columns[direct.column] ?? null),
    };
  }
  const findInterval = (index: number) => sections[index]?.columns.interval ?? null;
  if (paces === null || best === undefined) {
    const starts = nonOverlappingStarts(studies);
    return {
      clock: 'elapsed',
      forSection: (index) =>
        pacedClock(intervalClock(findInterval(index)), { offsetMs: starts[index] ?? 0, share: 1 }),
    };
  }
  return {
    clock: best.clock,
    forSection: (index) => {
      // A section without a time in a file that has one elsewhere gives fixes without times.
      const pace = paces[index] ?? { offsetMs: Number.NaN, share: 1 };
      const fixes = studies[index]?.fixes ?? [];
      const readings = best.seen[index]?.readings ?? [];
      const processor = processorClock(findInterval(index));
      return fixClock(processor, fixes, readings, pace) ?? pacedClock(processor, pace);
    },
  };
}

/** Lists the receiver's clocks that the log has, the one that knows the date first. */
function listReceiverClocks(studies: readonly Study[]): ReceiverClock[] {
  const times = studies.map((study) => study.time);
  const clocks: ReceiverClock[] = [
    { clock: 'utc', column: 'utc', seen: studies.map((study) => study.utc), makeReader: () => utcClock },
    {
      clock: 'time_of_day',
      column: 'time',
      seen: times,
      makeReader: () => {
        const stepMs = findStep(times.flatMap(({ readings }) => readings.map(({ value }) => value)));
        return (column) => timeClock(column, stepMs);
      },
    },
  ];
  return clocks.filter(({ seen }) => isSeen(seen));
}

function intervalClock(column: number | null): SectionClock {
  return { columns: [column], read: (row, slot) => row.number(slot) };
}

/** Returns the processor's clock: `Interval`, or the number of the row, since a log without that column has rows in an even rhythm. */
function processorClock(interval: number | null): SectionClock {
  return interval === null ? { columns: [], read: (row) => row.rowNumber } : intervalClock(interval);
}

/** Returns the processor's clock at the pace of the receiver's. */
function pacedClock({ columns, read }: SectionClock, { offsetMs, share }: Pace): SectionClock {
  return { columns, read: (row, slot) => offsetMs + share * read(row, slot) };
}

/** Returns the time of the latest fix, and behind it the processor's clock; null where the fixes keep no even interval. */
function fixClock(
  processor: SectionClock,
  fixes: readonly LoggedFix[],
  readings: readonly Reading[],
  { share }: Pace,
): SectionClock | null {
  const isInOrder = fixes.every(
    ({ intervalMs }, index) => intervalMs > (fixes[index - 1]?.intervalMs ?? Number.NEGATIVE_INFINITY),
  );
  const times = isInOrder ? timeLoggedFixes(withReadings(fixes, readings), share) : null;
  if (times === null) return null;
  let fix = 0;
  return {
    columns: processor.columns,
    read: (row, slot) => {
      const intervalMs = processor.read(row, slot);
      while ((fixes[fix + 1]?.intervalMs ?? Number.POSITIVE_INFINITY) <= intervalMs) fix++;
      return at(times, fix) + share * (intervalMs - (fixes[fix]?.intervalMs ?? Number.NaN));
    },
  };
}

/** The fixes with what the receiver's clock showed when they came, or before the next one did. */
function withReadings(fixes: readonly LoggedFix[], readings: readonly Reading[]): LoggedFix[] {
  const values = unwrapDays(readings);
  const stepMs = findStep(readings.map(({ value }) => value));
  const timed = fixes.map((fix) => ({ ...fix }));
  let fix = 0;
  for (const [index, { intervalMs }] of readings.entries()) {
    while ((timed[fix + 1]?.intervalMs ?? Number.POSITIVE_INFINITY) <= intervalMs) fix++;
    const latest = timed[fix];
    if (latest === undefined || latest.intervalMs > intervalMs || !Number.isNaN(latest.receiverMs)) continue;
    latest.receiverMs = stepMs === 0 ? at(values, index) : Math.round(at(values, index) / stepMs) * stepMs;
  }
  return timed;
}

function isSeen(clocks: readonly SeenClock[]): boolean {
  return clocks.some(({ readings }) => readings.length > 0);
}

/** Returns whether a clock changes as often as the position, from when it is first there. */
function isFine(clocks: readonly SeenClock[]): boolean {
  const changes = clocks.reduce((sum, { readings }) => sum + readings.length, 0);
  const places = clocks.reduce((sum, clock) => sum + clock.places, 0);
  return changes >= FINE_SHARE * places;
}

/** Fewer changes of a clock than this, for every new position, are too few to time by. */
const FINE_SHARE = 0.8;

/** Describes one reading of a receiver's clock when it had just changed, and the processor's clock at that moment. */
type Reading = { value: number; intervalMs: number };

/** Describes what a clock of the receiver showed in one section, and how many new positions there were since it did. */
type SeenClock = { readings: Reading[]; places: number };

type Study = { utc: SeenClock; time: SeenClock; fixes: LoggedFix[]; firstMs: number; lastMs: number };

function studySection({ table, columns }: Section): Study {
  const utc: SeenClock = { readings: [], places: 0 };
  const time: SeenClock = { readings: [], places: 0 };
  const fixes: LoggedFix[] = [];
  let [firstMs, lastMs, lat, lon] = [Number.NaN, Number.NaN, Number.NaN, Number.NaN];
  const clocks = [columns.interval, columns.utc, columns.time];
  const wanted = [columns.latitude, columns.longitude, ...clocks, columns.speed];
  readRows(table, wanted, (row) => {
    const intervalMs = columns.interval === null ? row.rowNumber : row.number(2);
    if (Number.isNaN(intervalMs)) return;
    if (Number.isNaN(firstMs)) firstMs = intervalMs;
    lastMs = intervalMs;
    note(time, clockDigitsToMs(row.number(4)), intervalMs);
    if (row.isBlank(0) || row.isBlank(1)) return;
    if (row.number(0) === lat && row.number(1) === lon) return;
    [lat, lon] = [row.number(0), row.number(1)];
    fixes.push({ intervalMs, lat, lon, speed: row.number(5), receiverMs: Number.NaN });
    // `Utc` runs on between the fixes; what counts is whether it is there where they are.
    const written = row.number(3);
    note(utc, written > EARLIEST_UTC_MS ? written : Number.NaN, intervalMs);
    for (const clock of [utc, time]) if (clock.readings.length > 0) clock.places++;
  });
  return { utc, time, fixes, firstMs, lastMs };
}

// Loggers that do not know the date yet count from zero.
const EARLIEST_UTC_MS = Date.UTC(2000, 0, 1);

function note({ readings }: SeenClock, value: number, intervalMs: number): void {
  if (!Number.isNaN(value) && readings.at(-1)?.value !== value) readings.push({ value, intervalMs });
}

function utcClock(column: number | null): SectionClock {
  return {
    columns: [column],
    read: (row, slot) => {
      const utc = row.number(slot);
      return utc > EARLIEST_UTC_MS ? utc : Number.NaN;
    },
  };
}

function timeClock(column: number | null, stepMs: number): SectionClock {
  return {
    columns: [column],
    read: (row, slot) => {
      const timeMs = clockDigitsToMs(row.number(slot));
      return stepMs === 0 ? timeMs : Math.round(timeMs / stepMs) * stepMs;
    },
  };
}

/** Finds the receiver's step, which times were multiples of before they lost digits to single precision; else 0. */
function findStep(timesMs: readonly number[]): number {
  const isStep = (stepMs: number) => {
    const near = timesMs.filter((timeMs) => {
      const lossMs = singlePrecisionLossMs(timeMs);
      return lossMs < stepMs / 4 && Math.abs(timeMs - Math.round(timeMs / stepMs) * stepMs) <= lossMs;
    });
    return near.length >= NEAR_SHARE * timesMs.length;
  };
  return STEPS_MS.find(isStep) ?? 0;
}

const STEPS_MS = [1000, 500, 200, 100, 50, 20, 10];
const NEAR_SHARE = 0.99;

/** Returns how far off a time of day, hhmmss, can be in a number of 24 bits, written with three decimals. */
function singlePrecisionLossMs(timeMs: number): number {
  const digits = Math.floor(timeMs / 3_600_000) * 10_000 + 6000;
  const halfUnit = 2 ** (Math.floor(Math.log2(digits)) - 24);
  return 1000 * halfUnit + 1;
}

type Pace = { offsetMs: number; share: number };

/** Fits the pace of every section that has one; null where none of them has. */
function fitPaces(clocks: readonly SeenClock[]): (Pace | null)[] | null {
  const paces = clocks.map(({ readings }) => fitPace(readings));
  return paces.every((pace) => pace === null) ? null : paces;
}

/**
 * Returns what the processor's clock has to be multiplied with, and what has to be added, to keep pace with a clock of
 * the receiver. From the middle of many pairs that are half the section apart, so that single late readings do not
 * matter. Null with too few readings.
 */
function fitPace(readings: readonly Reading[]): Pace | null {
  const half = readings.length >> 1;
  if (half < FEWEST_READINGS) return null;
  const values = unwrapDays(readings);
  const shares = readings.slice(half).map(({ intervalMs }, index) => {
    const earlier = readings[index]?.intervalMs ?? Number.NaN;
    return (at(values, index + half) - at(values, index)) / (intervalMs - earlier);
  });
  const share = median(shares.filter(Number.isFinite)) ?? 1;
  const offsets = readings.map(({ intervalMs }, index) => at(values, index) - share * intervalMs);
  return { share, offsetMs: median(offsets.filter(Number.isFinite)) ?? 0 };
}

const FEWEST_READINGS = 5;

/** Times of day go on over midnight; those since 1970 never step back that far. */
function unwrapDays(readings: readonly Reading[]): Float64Array {
  let daysMs = 0;
  return Float64Array.from(readings, ({ value }, index) => {
    if (value < (readings[index - 1]?.value ?? value) - DAY_MS / 2) daysMs += DAY_MS;
    return value + daysMs;
  });
}

/** Returns an offset in ms for each section, whose clocks restart, so that none begins before another ends. */
function nonOverlappingStarts(studies: readonly Study[]): number[] {
  let endMs = Number.NEGATIVE_INFINITY;
  return studies.map(({ firstMs, lastMs }) => {
    const shiftMs = firstMs <= endMs ? endMs - firstMs + PAUSE_MS : 0;
    if (!Number.isNaN(lastMs)) endMs = Math.max(endMs, lastMs + shiftMs);
    return shiftMs;
  });
}

/** A pause is longer than any gap that laps are timed over. */
const PAUSE_MS = 3_600_000;
