import { wrapDegrees } from '../geo.ts';
import type { DrivenFix, TrueLap } from './drive.ts';

/**
 * Returns where a car was at some moment, on the straight line between fix `index` and the one after it. Throws where
 * there is no such fix.
 */
export function stateAt(fixes: readonly DrivenFix[], index: number, timeMs: number): DrivenFix {
  const before = fixes[index];
  const after = fixes[index + 1];
  if (before === undefined) throw new Error('There is no such fix.');
  if (after === undefined || after.timeMs === before.timeMs) return { ...before, timeMs };
  const share = (timeMs - before.timeMs) / (after.timeMs - before.timeMs);
  const between = (from: number, to: number) => from + share * (to - from);
  return {
    timeMs,
    lat: between(before.lat, after.lat),
    lon: wrapDegrees(before.lon + share * wrapDegrees(after.lon - before.lon)),
    speedMetersPerSecond: between(before.speedMetersPerSecond, after.speedMetersPerSecond),
  };
}

/** Returns the number that loggers give to the lap at some moment: 0 before the first passing of the line, one more with every passing. */
export function lapNumberAt(laps: readonly TrueLap[], timeMs: number): number {
  const passings = passingTimes(laps);
  const later = passings.findIndex((passing) => passing > timeMs);
  return later < 0 ? passings.length : later;
}

/** Returns when the car passed the start/finish line. */
export function passingTimes(laps: readonly TrueLap[]): number[] {
  return laps.flatMap((lap, index) => {
    const isLast = index === laps.length - 1;
    return isLast ? [lap.startTimeMs, lap.startTimeMs + lap.lapTimeMs] : [lap.startTimeMs];
  });
}

/** Formats a moment as `2026-05-16T09:30:00.040`, in UTC and without saying so. */
export function timeLabel(timeMs: number): string {
  return new Date(Math.round(timeMs)).toISOString().slice(0, -1);
}

/** Formats a number without zeros at its end, one decimal at least: `20.0`, `578.05`. */
export function shortDecimal(value: number, decimals: number): string {
  const text = value.toFixed(decimals).replace(/0+$/, '');
  return text.endsWith('.') ? `${text}0` : text;
}
