import { at } from '../../fix-columns.ts';
import type { Clock } from '../../lap-file.ts';
import { DAY_MS } from '../../durations.ts';

/**
 * Turns times that were written as plain numbers into milliseconds, in place, and returns what they count from. The size of the
 * numbers decides: seconds, milliseconds, microseconds or nanoseconds since 1970 are far apart from each other and from any
 * recording's own seconds or milliseconds; `unit` and the usual step from row to row tell those two apart. Digits that run
 * like a clock (`083259.8`, then `083300.0`) are hours, minutes and seconds. Spreadsheets write dates and times as days.
 */
export function findNumericClock(times: Float64Array, unit: string): Clock {
  const usual = usualTime(times);
  const epoch = EPOCH_UNITS.find(({ above }) => usual > above);
  if (epoch !== undefined) {
    scale(times, epoch.unitMs);
    return 'utc';
  }
  const spreadsheetClock = UNIT_MS.has(unit) ? null : readSpreadsheetDays(times, usual);
  if (spreadsheetClock !== null) return spreadsheetClock;
  const unitMs = UNIT_MS.get(unit) ?? guessUnitMs(times);
  if (unitMs === 1000 && looksLikeClockDigits(times)) {
    for (let index = 0; index < times.length; index++) times[index] = clockDigitsToMs(at(times, index));
    return 'time_of_day';
  }
  scale(times, unitMs);
  return 'elapsed';
}

// 1e9 s is September 2001, before any of these loggers; the milliseconds of the GPS week only come to 6e8.
const EPOCH_UNITS = [
  { above: 1e18, unitMs: 1e-6 },
  { above: 1e15, unitMs: 1e-3 },
  { above: 1e12, unitMs: 1 },
  { above: 1e9, unitMs: 1000 },
];

const UNIT_MS = new Map(
  Object.entries({
    's sec secs second seconds': 1000,
    'ms msec millis millisecond milliseconds': 1,
    'us µs usec micros microsecond microseconds': 1e-3,
    'ns nsec nanosecond nanoseconds': 1e-6,
    'min mins minute minutes': 60_000,
    'h hr hour hours': 3_600_000,
  }).flatMap(([spellings, unitMs]) => spellings.split(' ').map((spelling) => [spelling, unitMs] as const)),
);

/** Spreadsheets count days from the end of 1899. */
const SPREADSHEET_EPOCH_DAYS = 25_569;
const SPREADSHEET_DAYS = [20_000, 80_000] as const;
// A receiver of one fix in eight seconds steps by this many days. Seconds of a recording never come that close together.
const LONGEST_STEP_DAYS = 1e-4;

/** Turns days into milliseconds, in place, where a spreadsheet wrote dates or times as numbers; null where it did not. */
function readSpreadsheetDays(times: Float64Array, usual: number): Clock | null {
  const isDate = usual > SPREADSHEET_DAYS[0] && usual < SPREADSHEET_DAYS[1];
  const isTime = usual >= 0 && times.every((time) => time < 1);
  const stepDays = usualStep(times);
  if ((!isDate && !isTime) || !(stepDays > 0 && stepDays < LONGEST_STEP_DAYS)) return null;
  const epochDays = isDate ? SPREADSHEET_EPOCH_DAYS : 0;
  for (let index = 0; index < times.length; index++)
    times[index] = Math.round((at(times, index) - epochDays) * DAY_MS);
  return isDate ? 'local' : 'time_of_day';
}

/** Returns the median of times from all over the file: a few spoilt rows must not decide what all the others mean. */
function usualTime(times: Float64Array): number {
  const stride = Math.max(1, Math.floor(times.length / 1000));
  const sample = times.filter((_, index) => index % stride === 0).toSorted();
  return at(sample, sample.length >> 1);
}

// No receiver is slower than a fix in five seconds on a track, and none faster than one in five milliseconds.
const MILLISECOND_STEP = 5;

function guessUnitMs(times: Float64Array): number {
  return usualStep(times) >= MILLISECOND_STEP ? 1 : 1000;
}

/** Returns the median step forward near the beginning; NaN without any. */
function usualStep(times: Float64Array): number {
  const steps = times.slice(1, 1001).map((time, index) => time - at(times, index));
  const moving = steps.filter((step) => step > 0).toSorted();
  return at(moving, moving.length >> 1);
}

/** Counted seconds take every value from 60 to 99 in their last two places sooner or later; a clock never does. */
function looksLikeClockDigits(times: Float64Array): boolean {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const time of times) {
    if (time < 0 || time >= 240_000 || time % 100 >= 60 || (time / 100) % 100 >= 60) return false;
    first = Math.min(first, time);
    last = Math.max(last, time);
  }
  return last - first > 100;
}

/** Returns milliseconds since midnight of a time that is written as the digits of a clock: 83259.8 is 08:32:59.8. NaN for no such time. */
export function clockDigitsToMs(digits: number): number {
  if (!(digits >= 0 && digits < 240_000 && digits % 100 < 61 && (digits / 100) % 100 < 60)) return Number.NaN;
  const hours = Math.trunc(digits / 10_000);
  const minutes = Math.trunc(digits / 100) % 100;
  return (hours * 60 + minutes) * 60_000 + Math.round((digits % 100) * 1e6) / 1e3;
}

function scale(times: Float64Array, factor: number): void {
  if (factor === 1) return;
  // Rounded to the nanosecond, so that 0.1 s does not become 100.00000000000001 ms.
  for (let index = 0; index < times.length; index++)
    times[index] = Math.round(at(times, index) * factor * 1e6) / 1e6;
}
