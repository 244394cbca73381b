import type { ComparedStretch, StretchFigures } from '../comparison/stretch-figures.ts';
import { isBrakingConfirmed, METERS_ALIKE, SPEEDS_ALIKE, type PlainPair } from './confirm-cause.ts';
import { findBraking, lowestSpeed, speedAt, type PlainLap } from './plain-lap.ts';

// Checks the figures that the table of a comparison shows of a stretch against the fixes of both laps.

/** A figure of the table, and whether the fixes show it. */
export type CheckedFigure = { name: string; isConfirmed: boolean };

/** Checks speeds and braking points of both laps in a stretch, and the difference of the braking points. */
export function checkFigures(laps: PlainPair, stretch: ComparedStretch): CheckedFigure[] {
  const checked = laps.flatMap((lap, index) => {
    const figures = stretch.laps[index];
    return figures ? checkLap(lap, stretch, figures) : [];
  });
  const earlierMeters = stretch.laps[1]?.brakingEarlierMeters ?? null;
  if (earlierMeters === null) return checked;
  const isAlike = Math.abs(earlierMeters) < BRAKING_ALIKE_METERS;
  return [
    ...checked,
    {
      name: `brakes ${earlierMeters.toFixed(1)} m earlier`,
      isConfirmed: isAlike ? isBrakingAlike(laps, stretch) : isBrakingConfirmed(laps, stretch, earlierMeters),
    },
  ];
}

/** The table calls braking points that differ by less alike. */
const BRAKING_ALIKE_METERS = 5;

function isBrakingAlike(laps: PlainPair, { startMeters, endMeters }: Ends): boolean {
  const [first, second] = laps.map((lap) => findBraking(lap, startMeters, endMeters));
  return first != null && second != null && Math.abs(first - second) < BRAKING_ALIKE_METERS + METERS_ALIKE;
}

type Ends = Pick<ComparedStretch, 'startMeters' | 'endMeters'>;

function checkLap(lap: PlainLap, ends: Ends, figures: StretchFigures): CheckedFigure[] {
  const { startSpeedMetersPerSecond, endSpeedMetersPerSecond, speedDoubtMetersPerSecond } = figures;
  const alike = Math.max(SPEEDS_ALIKE, speedDoubtMetersPerSecond);
  return [
    checkSpeed(lap, { name: 'entry', place: ends.startMeters, speed: startSpeedMetersPerSecond, alike }),
    checkSpeed(lap, { name: 'exit', place: ends.endMeters, speed: endSpeedMetersPerSecond, alike }),
    ...checkSlowest(lap, ends, figures),
    ...checkBraking(lap, ends, figures),
  ];
}

type ShownSpeed = { name: string; place: number; speed: number; alike: number };

function checkSpeed(lap: PlainLap, { name, place, speed, alike }: ShownSpeed): CheckedFigure {
  const { low, high } = speedsAround(lap, place);
  return {
    name: `${name} ${speed.toFixed(1)} m/s at ${place.toFixed(0)} m, fixes ${low.toFixed(1)} to ${high.toFixed(1)}`,
    isConfirmed: speed > low - alike && speed < high + alike,
  };
}

/** Returns the lowest and the highest speed of a lap so near to a place that two ways to measure cannot part them. */
function speedsAround(lap: PlainLap, place: number): { low: number; high: number } {
  const [from, to] = [place - METERS_ALIKE, place + METERS_ALIKE];
  const within = lap.speeds.filter((_, index) => {
    const along = lap.places[index] ?? Number.NaN;
    return along > from && along < to;
  });
  const speeds = [speedAt(lap, from), ...within, speedAt(lap, place), speedAt(lap, to)];
  return { low: Math.min(...speeds), high: Math.max(...speeds) };
}

/** The lowest speed is one of the lap at its point, and between two points of the comparison there is none much lower. */
function checkSlowest(
  lap: PlainLap,
  { startMeters, endMeters }: Ends,
  { slowestMetersPerSecond: speed, slowestMeters: place, speedDoubtMetersPerSecond }: StretchFigures,
): CheckedFigure[] {
  if (speed === null || place === null) return [];
  const alike = Math.max(SPEEDS_ALIKE, speedDoubtMetersPerSecond);
  const { low, high } = speedsAround(lap, place);
  const lowest = lowestSpeed(lap, startMeters, endMeters);
  const near = checkSpeed(lap, { name: 'slowest', place, speed, alike });
  return [
    {
      name: `${near.name}, lowest ${lowest.toFixed(1)}`,
      isConfirmed: near.isConfirmed && speed - lowest < alike + high - low,
    },
  ];
}

function checkBraking(
  lap: PlainLap,
  { startMeters, endMeters }: Ends,
  { brakingMeters, isBrakingClear, brakingDoubtMeters }: StretchFigures,
): CheckedFigure[] {
  // The page shows no braking point that is not clear.
  if (brakingMeters === null || !isBrakingClear) return [];
  const found = findBraking(lap, startMeters, endMeters);
  return [
    {
      name: `brakes at ${brakingMeters.toFixed(1)} m ±${brakingDoubtMeters.toFixed(1)}, fixes ${found?.toFixed(1) ?? 'nowhere'}`,
      isConfirmed: found !== null && Math.abs(found - brakingMeters) <= METERS_ALIKE + brakingDoubtMeters,
    },
  ];
}
