/**
 * RaceCapture has up to three clocks, and which of them are in a log depends on its age and its settings:
 *
 * - `Utc`, milliseconds since 1970, set by the receiver and 0 before it has a fix: the moment of the row, up to an interval after that of the
 *   fix (racecapture-utc.ts);
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
import { isNullIsland } from '../../geo.ts';
import type { Clock } from '../../lap-file.ts';
import { readRows, type TableRow } from '../text/csv-table.ts';
import { clockDigitsToMs } from '../rows/numeric-clock.ts';
import { timeLoggedFixes, type LoggedFix } from './racecapture-fix-times.ts';
import { fitPaces, unwrapDays, type Pace, type Reading, type SeenClock } from './racecapture-pace.ts';
import type { Section } from './racecapture-sections.ts';
import { timeFixesByUtc } from './racecapture-utc.ts';

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
      forSection: (index) => {
        const section = sections[index];
        const study = direct.clock === 'utc' ? studies[index] : undefined;
        return (
          (study && utcFixClock(processorClock(section?.columns.interval ?? null), study)) ??
          read(section?.columns[direct.column] ?? null)
        );
      },
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
  const times = isInOrder(fixes) ? timeLoggedFixes(withReadings(fixes, readings), share) : null;
  return times === null ? null : latestFixClock(processor, { fixes, times, share });
}

/** Returns the same by `Utc`; null where that itself agrees as well with the speeds. */
function utcFixClock(processor: SectionClock, { fixes, utcsMs }: Study): SectionClock | null {
  const times = isInOrder(fixes) ? timeFixesByUtc(fixes, utcsMs) : null;
  return times === null ? null : latestFixClock(processor, { fixes, times, share: 1 });
}

function isInOrder(fixes: readonly LoggedFix[]): boolean {
  return fixes.every(
    ({ intervalMs }, index) => intervalMs > (fixes[index - 1]?.intervalMs ?? Number.NEGATIVE_INFINITY),
  );
}

function latestFixClock(
  processor: SectionClock,
  { fixes, times, share }: { fixes: readonly LoggedFix[]; times: Float64Array; share: number },
): SectionClock {
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

type Study = {
  utc: SeenClock;
  time: SeenClock;
  fixes: LoggedFix[];
  /** Holds `Utc` of the rows of the fixes; NaN before the receiver knows it. */
  utcsMs: Float64Array;
  firstMs: number;
  lastMs: number;
};

function studySection({ table, columns }: Section): Study {
  const utc: SeenClock = { readings: [], places: 0 };
  const time: SeenClock = { readings: [], places: 0 };
  const fixes: LoggedFix[] = [];
  const utcsMs: number[] = [];
  let [firstMs, lastMs, lat, lon] = [Number.NaN, Number.NaN, Number.NaN, Number.NaN];
  const clocks = [columns.interval, columns.utc, columns.time];
  const wanted = [columns.latitude, columns.longitude, ...clocks, columns.speed];
  readRows(table, wanted, (row) => {
    const intervalMs = columns.interval === null ? row.rowNumber : row.number(2);
    if (Number.isNaN(intervalMs)) return;
    if (Number.isNaN(firstMs)) firstMs = intervalMs;
    lastMs = intervalMs;
    // A 0 is an empty cell that a converter has filled, or midnight, which one reading may miss.
    note(time, clockDigitsToMs(row.number(4)) || Number.NaN, intervalMs);
    if (!hasPosition(row)) return;
    if (row.number(0) === lat && row.number(1) === lon) return;
    [lat, lon] = [row.number(0), row.number(1)];
    fixes.push({ intervalMs, lat, lon, speed: row.number(5), receiverMs: Number.NaN });
    // `Utc` runs on between the fixes; what counts is whether it is there where they are.
    const written = row.number(3);
    const utcMs = written > EARLIEST_UTC_MS ? written : Number.NaN;
    utcsMs.push(utcMs);
    note(utc, utcMs, intervalMs);
    for (const clock of [utc, time]) if (clock.readings.length > 0) clock.places++;
  });
  return { utc, time, fixes, utcsMs: Float64Array.from(utcsMs), firstMs, lastMs };
}

function hasPosition(row: TableRow): boolean {
  return !row.isBlank(0) && !row.isBlank(1) && !isNullIsland(row.number(0), row.number(1));
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
