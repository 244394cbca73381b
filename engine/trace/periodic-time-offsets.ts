import { at, type FixColumns } from '../fix-columns.ts';
import { roughDistanceMeters } from '../geo.ts';
import { fitSpeeds, speedAt, type SpeedModel } from './speed-model.ts';
import { MAD_PER_DEVIATION, median } from '../statistics.ts';
import type { Trace } from './trace.ts';

/**
 * Some receivers measure a few fixes of every second at another moment than they write: a dragy at 25 Hz stamps two of
 * them 10 ms wrong. Second after second, these fixes are then ahead of where the speeds bring the car, or behind, by as
 * many milliseconds. This gives a trace with the times at which they were taken; the same trace where nothing of that
 * kind shows, which is so for nearly all receivers.
 */
export function correctPeriodicOffsets(raw: Trace): { trace: Trace; speeds: SpeedModel | null } {
  const speeds = fitSpeeds(raw);
  const trace = applyOffsets(raw, speeds);
  return { trace, speeds: trace === raw ? speeds : fitSpeeds(trace) };
}

function applyOffsets(trace: Trace, speeds: SpeedModel | null): Trace {
  if (speeds === null || trace.receiverIntervalMs !== null) return trace;
  const offsetsMs = findOffsets(trace, speeds);
  if (offsetsMs.size === 0) return trace;
  const timesMs = trace.fixes.timesMs.map((timeMs, fix, stampsMs) => {
    const offsetMs = offsetsMs.get(phaseInSecond(timeMs)) ?? 0;
    const neighbourMs = stampsMs[fix + Math.sign(offsetMs)] ?? timeMs;
    // A fix must not get past its neighbour in a file with fixes closer together than usual.
    return Math.abs(offsetMs) < Math.abs(neighbourMs - timeMs) / 2 ? timeMs + offsetMs : timeMs;
  });
  return { ...trace, fixes: { ...trace.fixes, timesMs } };
}

/** Fixes are looked at in runs of so many, so that every phase of the second is sampled. */
const RUN_FIXES = 125;
const RUNS = 14;
/** With more phases than this in a second, timestamps have no period; with fewer samples of each, chance would decide. */
const PHASES_MAX = 50;
const SAMPLES_MIN = 30;
/** The limit is far above the resolution of the method, and what matters in a lap time. */
const OFFSET_MIN_MS = 2;
/** A shift is real where it is far larger than its own uncertainty and than its spread from second to second. */
const OFFSET_MIN_ERRORS = 8;
const OFFSET_MIN_SPREADS = 2;
/** Slower, the noise of the positions is worth too much time. */
const SPEED_MIN_METERS_PER_SECOND = 8;

/** Milliseconds to add to the stamps of the fixes at some places within the second; places that are right are left out. */
function findOffsets(trace: Trace, speeds: SpeedModel): Map<number, number> {
  const offsetsMs = new Map<number, number>();
  const samples = [...latenessByPhase(trace, speeds)].toSorted(([one], [other]) => one - other);
  if (samples.length < 2 || samples.length > PHASES_MAX) return offsetsMs;
  const steps = samples.map(([phase, lateMs]) => ({
    phase,
    samples: lateMs.length,
    ...medianAndSpread(lateMs),
  }));
  if (steps.some((step) => step.samples < SAMPLES_MIN)) return offsetsMs;
  // A second has come to its end when all its steps are added up: what is left over belongs to the scale of the speeds.
  const surplusMs = steps.reduce((sum, step) => sum + step.middleMs, 0) / steps.length;
  let [offsetMs, variance] = [0, 0];
  const summed = steps.map((step) => {
    const outcome = { ...step, offsetMs, errorMs: Math.sqrt(variance) };
    offsetMs += step.middleMs - surplusMs;
    variance += step.spreadMs ** 2 / step.samples;
    return outcome;
  });
  const usualMs = median(summed.map((one) => one.offsetMs)) ?? 0;
  for (const one of summed) {
    const ownMs = one.offsetMs - usualMs;
    const leastMs = Math.max(
      OFFSET_MIN_MS,
      OFFSET_MIN_ERRORS * one.errorMs,
      OFFSET_MIN_SPREADS * one.spreadMs,
    );
    if (Math.abs(ownMs) >= leastMs && Math.abs(ownMs) < (trace.intervalMs ?? 0) / 2)
      offsetsMs.set(one.phase, ownMs);
  }
  return offsetsMs;
}

/** Measures by how much longer the steps after each place of the second took by the speeds than by the stamps. */
function latenessByPhase(trace: Trace, speeds: SpeedModel): Map<number, number[]> {
  const { fixes, partStarts } = trace;
  const latenessMs = new Map<number, number[]>();
  const starts = new Set(partStarts);
  const stride = Math.max(RUN_FIXES, Math.floor(fixes.length / RUNS));
  for (let from = 1; from + RUN_FIXES + 2 < fixes.length; from += stride) {
    for (let fix = from; fix < from + RUN_FIXES; fix += 1) {
      if (starts.has(fix) || starts.has(fix + 1) || starts.has(fix + 2)) continue;
      const lateMs = measureLateness(fixes, speeds, fix, trace.intervalMs ?? 0);
      if (Number.isNaN(lateMs)) continue;
      const phase = phaseInSecond(at(fixes.timesMs, fix));
      const samples = latenessMs.get(phase);
      if (samples === undefined) latenessMs.set(phase, [lateMs]);
      else samples.push(lateMs);
    }
  }
  return latenessMs;
}

function measureLateness(fixes: FixColumns, speeds: SpeedModel, fix: number, intervalMs: number): number {
  const stepMs = at(fixes.timesMs, fix + 1) - at(fixes.timesMs, fix);
  if (stepMs > 1.6 * intervalMs) return Number.NaN;
  const range = { first: fix - 1, last: fix + 2 };
  const [speed, next] = [speedAt(fixes, speeds, fix, range), speedAt(fixes, speeds, fix + 1, range)];
  if (!(Math.min(speed, next) > SPEED_MIN_METERS_PER_SECOND)) return Number.NaN;
  return (2000 * roughDistanceMeters(fixes.lats, fixes.lons, fix, fix + 1)) / (speed + next) - stepMs;
}

function medianAndSpread(values: number[]): { middleMs: number; spreadMs: number } {
  const middleMs = median(values) ?? 0;
  const halfMs = median(values.map((value) => Math.abs(value - middleMs))) ?? 0;
  return { middleMs, spreadMs: halfMs / MAD_PER_DEVIATION };
}

function phaseInSecond(timeMs: number): number {
  return Math.round(timeMs % 1000);
}
