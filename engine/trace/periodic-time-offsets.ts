import { at } from '../fix-columns.ts';
import type { FixColumns } from '../fix-columns.ts';
import { roughDistanceMeters } from '../geo.ts';
import { speedAt } from './speed-model.ts';
import type { SpeedModel } from './speed-model.ts';
import { DEVIATIONS_OF_HALF, median } from './timestamps.ts';
import type { Trace } from './trace.ts';

/**
 * Some receivers measure a few fixes of every second at another moment than they write: a dragy at 25 Hz stamps two of
 * them 10 ms wrong. Second after second, these fixes are then ahead of where the speeds bring the car, or behind, by as
 * many milliseconds. This gives a trace with the times at which they were taken; the same trace where nothing of that
 * kind shows, which is so for nearly all receivers.
 */
export function mendStampPattern(trace: Trace, speeds: SpeedModel | null): Trace {
  if (speeds === null || trace.intervalBehindRowsMs !== null) return trace;
  const shiftsMs = shiftsWithinSecond(trace, speeds);
  if (shiftsMs.size === 0) return trace;
  const timesMs = trace.fixes.timesMs.map((timeMs) => timeMs + (shiftsMs.get(placeInSecond(timeMs)) ?? 0));
  return { ...trace, fixes: { ...trace.fixes, timesMs } };
}

/** Fixes are looked at in runs of so many, so that every place within the second has its turn. */
const RUN_FIXES = 125;
const RUNS = 14;
/** With more places than this in a second, stamps have no rhythm; with fewer looks at each, chance would decide. */
const PLACES_MAX = 50;
const LOOKS_MIN = 30;
/** Far above the resolution of the method, and what matters in a lap time. */
const SHIFT_MIN_MS = 2;
/** A shift is real where it is far larger than its own uncertainty and than its spread from second to second. */
const SHIFT_MIN_ERRORS = 8;
const SHIFT_MIN_SPREADS = 2;
/** Slower, the noise of the positions is worth too much time. */
const SPEED_MIN_METERS_PER_SECOND = 8;

/** Milliseconds to add to the stamps of the fixes at some places within the second; places that are right are left out. */
function shiftsWithinSecond(trace: Trace, speeds: SpeedModel): Map<number, number> {
  const shiftsMs = new Map<number, number>();
  const looks = [...latenessByPlace(trace, speeds)].toSorted(([one], [other]) => one - other);
  if (looks.length < 2 || looks.length > PLACES_MAX) return shiftsMs;
  const steps = looks.map(([place, lateMs]) => ({ place, looks: lateMs.length, ...middleOf(lateMs) }));
  if (steps.some((step) => step.looks < LOOKS_MIN)) return shiftsMs;
  // A second has come to its end when all its steps are added up: what is left over belongs to the scale of the speeds.
  const surplusMs = steps.reduce((sum, step) => sum + step.middleMs, 0) / steps.length;
  let [shiftMs, variance] = [0, 0];
  const summed = steps.map((step) => {
    const outcome = { ...step, shiftMs, errorMs: Math.sqrt(variance) };
    shiftMs += step.middleMs - surplusMs;
    variance += step.spreadMs ** 2 / step.looks;
    return outcome;
  });
  const usualMs = median(summed.map((one) => one.shiftMs)) ?? 0;
  for (const one of summed) {
    const ownMs = one.shiftMs - usualMs;
    const leastMs = Math.max(SHIFT_MIN_MS, SHIFT_MIN_ERRORS * one.errorMs, SHIFT_MIN_SPREADS * one.spreadMs);
    if (Math.abs(ownMs) >= leastMs && Math.abs(ownMs) < (trace.intervalMs ?? 0) / 2)
      shiftsMs.set(one.place, ownMs);
  }
  return shiftsMs;
}

/** By how much longer the steps after each place of the second took by the speeds than by the stamps. */
function latenessByPlace(trace: Trace, speeds: SpeedModel): Map<number, number[]> {
  const { fixes, partStarts } = trace;
  const latenessMs = new Map<number, number[]>();
  const starts = new Set(partStarts);
  const stride = Math.max(RUN_FIXES, Math.floor(fixes.length / RUNS));
  for (let from = 1; from + RUN_FIXES + 2 < fixes.length; from += stride) {
    for (let fix = from; fix < from + RUN_FIXES; fix += 1) {
      if (starts.has(fix) || starts.has(fix + 1) || starts.has(fix + 2)) continue;
      const lateMs = latenessOf(fixes, speeds, fix, trace.intervalMs ?? 0);
      if (Number.isNaN(lateMs)) continue;
      const place = placeInSecond(at(fixes.timesMs, fix));
      const looks = latenessMs.get(place);
      if (looks === undefined) latenessMs.set(place, [lateMs]);
      else looks.push(lateMs);
    }
  }
  return latenessMs;
}

function latenessOf(fixes: FixColumns, speeds: SpeedModel, fix: number, intervalMs: number): number {
  const stepMs = at(fixes.timesMs, fix + 1) - at(fixes.timesMs, fix);
  if (stepMs > 1.6 * intervalMs) return Number.NaN;
  const range = { first: fix - 1, last: fix + 2 };
  const [speed, next] = [speedAt(fixes, speeds, fix, range), speedAt(fixes, speeds, fix + 1, range)];
  if (!(Math.min(speed, next) > SPEED_MIN_METERS_PER_SECOND)) return Number.NaN;
  return (2000 * roughDistanceMeters(fixes.lats, fixes.lons, fix, fix + 1)) / (speed + next) - stepMs;
}

function middleOf(values: number[]): { middleMs: number; spreadMs: number } {
  const middleMs = median(values) ?? 0;
  const halfMs = median(values.map((value) => Math.abs(value - middleMs))) ?? 0;
  return { middleMs, spreadMs: halfMs / DEVIATIONS_OF_HALF };
}

function placeInSecond(timeMs: number): number {
  return Math.round(timeMs % 1000);
}
