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
  return [
    ...checked,
    {
      name: `brakes ${earlierMeters.toFixed(1)} m earlier`,
      isConfirmed: isBrakingConfirmed(laps, stretch, earlierMeters),
    },
  ];
}

type Ends = Pick<ComparedStretch, 'startMeters' | 'endMeters'>;

function checkLap(lap: PlainLap, ends: Ends, figures: StretchFigures): CheckedFigure[] {
  const { startSpeedMetersPerSecond, endSpeedMetersPerSecond } = figures;
  return [
    checkSpeed(lap, 'entry', ends.startMeters, startSpeedMetersPerSecond),
    checkSpeed(lap, 'exit', ends.endMeters, endSpeedMetersPerSecond),
    ...checkSlowest(lap, ends, figures),
    ...checkBraking(lap, ends, figures),
  ];
}

function checkSpeed(lap: PlainLap, name: string, place: number, speed: number): CheckedFigure {
  const { low, high } = speedsAround(lap, place);
  return {
    name: `${name} ${speed.toFixed(1)} m/s at ${place.toFixed(0)} m, fixes ${low.toFixed(1)} to ${high.toFixed(1)}`,
    isConfirmed: speed > low - SPEEDS_ALIKE && speed < high + SPEEDS_ALIKE,
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
  { slowestMetersPerSecond, slowestMeters }: StretchFigures,
): CheckedFigure[] {
  if (slowestMetersPerSecond === null || slowestMeters === null) return [];
  const { low, high } = speedsAround(lap, slowestMeters);
  const lowest = lowestSpeed(lap, startMeters, endMeters);
  const near = checkSpeed(lap, 'slowest', slowestMeters, slowestMetersPerSecond);
  return [
    {
      name: `${near.name}, lowest ${lowest.toFixed(1)}`,
      isConfirmed: near.isConfirmed && slowestMetersPerSecond - lowest < SPEEDS_ALIKE + high - low,
    },
  ];
}

function checkBraking(
  lap: PlainLap,
  { startMeters, endMeters }: Ends,
  { brakingMeters, brakingDoubtMeters }: StretchFigures,
): CheckedFigure[] {
  if (brakingMeters === null) return [];
  const found = findBraking(lap, startMeters, endMeters);
  return [
    {
      name: `brakes at ${brakingMeters.toFixed(1)} m ±${brakingDoubtMeters.toFixed(1)}, fixes ${found?.toFixed(1) ?? 'nowhere'}`,
      isConfirmed:
        found !== null && Math.abs(found - brakingMeters) <= Math.max(METERS_ALIKE, brakingDoubtMeters),
    },
  ];
}
