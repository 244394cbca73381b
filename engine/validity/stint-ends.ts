import type { CenterLine } from '../center-line.ts';
import { coverCenterLine } from './center-line-coverage.ts';
import { at } from '../fix-columns.ts';
import { roughDistanceMeters } from '../geo.ts';
import { median } from '../statistics.ts';
import { lapLengthMeters, type TimedSpans } from '../timing/lap-spans.ts';
import type { Lap } from '../timing/laps.ts';
import { sectorTimesBetween } from '../timing/sectors.ts';
import type { Track } from '../track.ts';
import type { Trace } from '../trace/trace.ts';

/** The drive between the pits and the line: before the first crossing of a stint, or after its last one. */
export type StintEnd = {
  reason: 'out_lap' | 'in_lap';
  /** Moment at which the car set off or crossed the line, and at which it crossed the line or stopped. */
  startTimeMs: number;
  endTimeMs: number;
};

/** Describes how long one lap is, and its outline where that is known. */
type LapShape = { lengthMeters: number; centerLine: CenterLine | null };

/** Describes a trace with the cumulative distance at every fix, in metres. */
type MeteredTrace = { trace: Trace; cumulativeMeters: Float64Array };

/** Less than half a lap is the drive to the line; more than one and a half came to the track from elsewhere. */
const LAPS_MIN = 0.5;
const LAPS_MAX = 1.5;
/** A car that moves less than this in so much time is stationary, even if its receiver drifts or it creeps in a queue. */
const STANDING_MS = 10_000;
const STANDING_METERS = 5;

/**
 * The out laps and in laps of a drive that are no laps from line to line, in order of time: from where the car set off, or the
 * recording goes on, to the first crossing of a stint, and from its last crossing to where the car stood or the recording stops.
 */
export function findStintEnds(
  file: MeteredTrace,
  { crossings, isForward, spans }: TimedSpans,
  { track, centerLine }: { track: Track; centerLine: CenterLine | null },
): StintEnd[] {
  const { trace } = file;
  const lengthMeters =
    track.lengthMeters ??
    centerLine?.lengthMeters ??
    median(spans.map((span) => lapLengthMeters(file.cumulativeMeters, span)));
  if (lengthMeters === null) return [];
  const shape = { lengthMeters, centerLine };
  const { timesMs } = trace.fixes;
  const starts = new Set(spans.map(({ start }) => start));
  const ends = new Set(spans.map(({ end }) => end));
  return crossings.flatMap((crossing, index): StintEnd[] => {
    const found: StintEnd[] = [];
    if (crossing.isForward !== isForward) return found;
    if (!ends.has(crossing)) {
      const first = findDeparture(trace, crossing.fixIndex, (crossings[index - 1]?.fixIndex ?? -1) + 1);
      if (isAboutOneLap(file, { first, last: crossing.fixIndex }, shape))
        found.push({ reason: 'out_lap', startTimeMs: at(timesMs, first), endTimeMs: crossing.timeMs });
    }
    if (!starts.has(crossing)) {
      const next = crossings[index + 1]?.fixIndex ?? trace.fixes.length - 1;
      const last = findStop(trace, Math.min(crossing.fixIndex + 1, next), next);
      if (isAboutOneLap(file, { first: crossing.fixIndex, last }, shape))
        found.push({ reason: 'in_lap', startTimeMs: crossing.timeMs, endTimeMs: at(timesMs, last) });
    }
    return found;
  });
}

/** Returns the lap as it is shown: never counted, and without the sector that was not driven from line to line. */
export function toIncompleteLap(
  { reason, startTimeMs, endTimeMs }: StintEnd,
  sectorCrossings: number[][],
): Omit<Lap, 'number'> {
  const sectorTimesMs = sectorTimesBetween(sectorCrossings, startTimeMs, endTimeMs);
  const cut = reason === 'out_lap' ? 0 : sectorTimesMs.length - 1;
  return {
    startTimeMs,
    lapTimeMs: endTimeMs - startTimeMs,
    uncertaintyMs: STANDING_MS,
    status: 'incomplete',
    reasons: [reason],
    sectorTimesMs: sectorTimesMs.map((sectorTimeMs, sector) => (sector === cut ? null : sectorTimeMs)),
  };
}

type Stretch = { first: number; last: number };

function isAboutOneLap(
  { trace, cumulativeMeters }: MeteredTrace,
  { first, last }: Stretch,
  shape: LapShape,
): boolean {
  const laps = (at(cumulativeMeters, last) - at(cumulativeMeters, first)) / shape.lengthMeters;
  if (!(laps >= LAPS_MIN && laps <= LAPS_MAX)) return false;
  return (
    shape.centerLine === null || coverCenterLine(trace, shape.centerLine, first, last).coverage >= LAPS_MIN
  );
}

/** Finds the fix from which the car drove on to `last` without standing and without a gap; not before `earliest`. */
function findDeparture({ fixes, partStarts }: Trace, last: number, earliest: number): number {
  const first = Math.max(earliest, partStarts.findLast((start) => start <= last) ?? 0);
  let before = last;
  for (let fix = last; fix > first; fix -= 1) {
    while (before > first && at(fixes.timesMs, fix) - at(fixes.timesMs, before) < STANDING_MS) before -= 1;
    if (isStanding(fixes, before, fix)) return fix;
  }
  return first;
}

/** Finds the fix to which the car drove on from `first` without standing and without a gap; not after `latest`. */
function findStop({ fixes, partStarts }: Trace, first: number, latest: number): number {
  const last = Math.min(latest, (partStarts.find((start) => start > first) ?? fixes.length) - 1);
  let after = first;
  for (let fix = first; fix < last; fix += 1) {
    while (after < last && at(fixes.timesMs, after) - at(fixes.timesMs, fix) < STANDING_MS) after += 1;
    if (isStanding(fixes, fix, after)) return fix;
  }
  return last;
}

function isStanding({ timesMs, lats, lons }: Trace['fixes'], from: number, to: number): boolean {
  const isLong = at(timesMs, to) - at(timesMs, from) >= STANDING_MS;
  return isLong && roughDistanceMeters(lats, lons, from, to) < STANDING_METERS;
}
