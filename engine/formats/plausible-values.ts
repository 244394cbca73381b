import { at, pickFixes, type FixColumns } from '../fix-columns.ts';
import { withPlausibleChannels } from './plausible-channels.ts';
import { UnreadableLapFileError, type LapFile, type LoggerLap } from '../lap-file.ts';

/**
 * Returns a lap file without the fixes whose time no calendar has, which are counted as having none, and without laps
 * that begin then. A damaged digit is enough for one. Speeds that no receiver gives are unknown, and so are values that no
 * sensor of a channel gives. Throws
 * UnreadableLapFileError where no fix is left.
 */
export function withPlausibleValues(file: LapFile): LapFile {
  const loggerLaps = file.loggerLaps.filter(
    (lap) => isCalendarTime(lap.startTimeMs ?? 0) && isCalendarTime(lap.lapTimeMs),
  );
  return withPlausibleTimes({
    ...file,
    loggerLaps: withoutOverlaps(loggerLaps),
    fixes: withPlausibleChannels(withPlausibleSpeeds(file.fixes)),
  });
}

/** A car drives one lap at a time: what overlaps another lap by half is its copy, as in a file that was pasted twice. */
function withoutOverlaps(laps: readonly LoggerLap[]): LoggerLap[] {
  const copies = new Set<LoggerLap>();
  let endMs = Number.NEGATIVE_INFINITY;
  const byStart = laps.toSorted((a, b) => (a.startTimeMs ?? 0) - (b.startTimeMs ?? 0));
  for (const lap of byStart) {
    if (lap.startTimeMs === null) continue;
    if (endMs - lap.startTimeMs > lap.lapTimeMs / 2) copies.add(lap);
    else endMs = lap.startTimeMs + lap.lapTimeMs;
  }
  return laps.filter((lap) => !copies.has(lap));
}

function withPlausibleSpeeds(fixes: FixColumns): FixColumns {
  const { speedsMetersPerSecond } = fixes;
  if (!speedsMetersPerSecond.some(isTooFast)) return fixes;
  return {
    ...fixes,
    speedsMetersPerSecond: speedsMetersPerSecond.map((speed) => (isTooFast(speed) ? Number.NaN : speed)),
  };
}

function isTooFast(metersPerSecond: number): boolean {
  return metersPerSecond > FASTEST_METERS_PER_SECOND;
}

// Civil receivers stop at 1000 knots, by export rules.
const FASTEST_METERS_PER_SECOND = 515;

function withPlausibleTimes(file: LapFile): LapFile {
  const { fixes, partStarts, dropped } = file;
  refuseRoundedTimes(fixes.timesMs);
  if (fixes.timesMs.every(isCalendarTime)) return file;
  const kept = Int32Array.from(fixes.timesMs.keys()).filter((fix) => isCalendarTime(at(fixes.timesMs, fix)));
  if (kept.length === 0) {
    throw new UnreadableLapFileError(
      'This file has positions but no times that can be read, so laps cannot be timed.',
    );
  }
  const starts = partStarts.map((start) => kept.findIndex((fix) => fix >= start));
  return {
    ...file,
    fixes: pickFixes(fixes, kept),
    partStarts: starts.filter((start, part) => start >= 0 && start !== starts[part - 1]),
    dropped: { ...dropped, no_time: (dropped.no_time ?? 0) + fixes.length - kept.length },
  };
}

/** Spreadsheets show `1778923812400` as `1.77892E+12` and save what they show: whole drives then lie in one moment, or in two. */
function refuseRoundedTimes(timesMs: Float64Array): void {
  const [first, last] = [timesMs[0], timesMs.at(-1)];
  if (timesMs.length < FEWEST_ROUNDED || timesMs.some((timeMs) => timeMs !== first && timeMs !== last))
    return;
  throw new UnreadableLapFileError(
    'This file has the same time in nearly all rows, as spreadsheets that have rounded it leave it; upload the file as the logger wrote it.',
  );
}

/** A drive of so few positions holds no lap. */
const FEWEST_ROUNDED = 20;

function isCalendarTime(timeMs: number): boolean {
  return Math.abs(timeMs) <= LAST_DATE_MS;
}

// The end of JavaScript's calendar, in the year 275760.
const LAST_DATE_MS = 8.64e15;
