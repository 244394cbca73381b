import { upperBound } from '../binary-search.ts';
import type { TracedLap } from '../comparison/lap-trace.ts';
import { at, type FixColumns } from '../fix-columns.ts';
import { planeAround, planeX, planeY } from '../geo.ts';

export type CameraAgreement = {
  /** Share of the lap that the camera covers. */
  coveredShare: number;
  /** Time by which the clock of the camera is ahead. */
  clockMs: number;
  /** Change of that from the first third of the lap to the last. */
  clockChangeMs: number;
  /** The constant distance between both. */
  offsetMeters: number;
  /** Root mean square of what is left without the constant. */
  residualMeters: number;
  /** The worst of it, over some seconds. */
  worstMeters: number;
  /** The same of what is left over seconds: receivers wander, copies do not. */
  wanderMeters: number;
  /** Speed, root mean square, at which what is left changes over seconds: receivers drift slowly, two drives part at once. */
  driftMetersPerSecond: number;
  /** Time between two fixes of the lap file: positions between those of a slow logger are less sure. */
  intervalMs: number;
  /** Root mean square of the difference of both speeds; NaN where one has none. */
  speedMetersPerSecond: number;
  /** Distance from the camera's speeds over the lap, divided by the distance between its own positions. */
  speedScale: number;
};

const STEP_MS = 250;
const CLOCK_REACH_MS = 4_000;
const CLOCK_STEPS_MS = [400, 100, 20, 5];
const WANDER_MS = 4_000;
/** A camera without fixes for so long does not cover what it skips. */
const GAP_MAX_MS = 1_500;
const SAMPLES_MIN = 40;

/** Limits of honest pairs of receivers: `npm run bench -- camera` prints how often each kind of them passes. */
const LIMITS = {
  coveredShareMin: 0.97,
  clockMs: 1_500,
  clockChangeMs: 250,
  offsetMeters: 12,
  residualMeters: 4.5,
  worstMeters: 12,
  driftMetersPerSecond: 0.33,
  /** Limit for a logger that gives one fix a second. */
  sparseDriftMetersPerSecond: 0.6,
  speedMetersPerSecond: 1.6,
  /** The speeds of a camera come from the same satellites as its positions. */
  speedScaleDifference: 0.03,
  /** Two receivers never err so alike. */
  wanderMetersMin: 0.06,
  speedMetersPerSecondMin: 0.015,
};

const SPARSE_FROM_MS = 510;

/** Returns what does not agree; empty where the camera was in the car that drove the lap. */
export function listDisagreements(agreement: CameraAgreement): string[] {
  const { clockMs, clockChangeMs, offsetMeters, residualMeters, wanderMeters } = agreement;
  const { coveredShare, worstMeters, speedMetersPerSecond: speed } = agreement;
  const { driftMetersPerSecond: drift, intervalMs, speedScale } = agreement;
  const driftMax =
    intervalMs > SPARSE_FROM_MS ? LIMITS.sparseDriftMetersPerSecond : LIMITS.driftMetersPerSecond;
  const checks: readonly [disagrees: boolean, sentence: string][] = [
    [coveredShare < LIMITS.coveredShareMin, `covers ${(100 * coveredShare).toFixed(0)} % of the lap`],
    [Math.abs(clockMs) > LIMITS.clockMs, `clock ${(clockMs / 1000).toFixed(1)} s apart`],
    [Math.abs(clockChangeMs) > LIMITS.clockChangeMs, `clock runs ${clockChangeMs.toFixed(0)} ms apart`],
    [offsetMeters > LIMITS.offsetMeters, `${offsetMeters.toFixed(1)} m apart`],
    [residualMeters > LIMITS.residualMeters, `${residualMeters.toFixed(1)} m apart along the lap`],
    [worstMeters > LIMITS.worstMeters, `up to ${worstMeters.toFixed(1)} m apart`],
    [drift > driftMax, `drifts apart by ${drift.toFixed(2)} m each second`],
    [
      Math.abs(speedScale - 1) > LIMITS.speedScaleDifference,
      `speeds ${(100 * (speedScale - 1)).toFixed(1)} % off its own positions`,
    ],
    [speed > LIMITS.speedMetersPerSecond, `speeds ${speed.toFixed(1)} m/s apart`],
    [wanderMeters < LIMITS.wanderMetersMin, `errs as the lap file does, within ${wanderMeters.toFixed(3)} m`],
    [
      speed < LIMITS.speedMetersPerSecondMin,
      `has the speeds of the lap file, within ${speed.toFixed(3)} m/s`,
    ],
  ];
  return checks.flatMap(([disagrees, sentence]) => (disagrees ? [sentence] : []));
}

/** Compares a lap with the fixes of a camera whose clock shows the same time; null where they overlap too little to tell. */
export function measureCameraAgreement(
  { trace, lap }: TracedLap,
  camera: FixColumns,
): CameraAgreement | null {
  const times: number[] = [];
  for (let time = lap.startTimeMs; time <= lap.startTimeMs + lap.lapTimeMs; time += STEP_MS) times.push(time);
  const plane = planeAround({ lat: at(trace.fixes.lats, 0), lon: at(trace.fixes.lons, 0) });
  const own = times.map((time) => sampleAt(trace.fixes, time, plane));
  const seen = (clockMs: number, indexes: readonly number[]) =>
    indexes.flatMap((index) => {
      const [here, there] = [own[index], sampleAt(camera, (times[index] ?? 0) + clockMs, plane)];
      if (!here || !there) return [];
      return [{ index, x: there.x - here.x, y: there.y - here.y, v: there.v - here.v }];
    });
  const all = times.map((_, index) => index);
  const clockMs = fitClock((clock) => seen(clock, all), 0, CLOCK_REACH_MS);
  const pairs = seen(clockMs, all);
  if (pairs.length < SAMPLES_MIN) return null;
  const third = Math.floor(all.length / 3);
  const [first, last] = [all.slice(0, third), all.slice(-third)].map((part) =>
    fitClock((clock) => seen(clock, part), clockMs, CLOCK_REACH_MS / 4),
  );
  const offset = { x: mean(pairs.map(({ x }) => x)), y: mean(pairs.map(({ y }) => y)) };
  const left = pairs.map(({ index, x, y }) => ({ index, x: x - offset.x, y: y - offset.y }));
  const smooth = smoothed(left, Math.round(WANDER_MS / STEP_MS));
  return {
    coveredShare: pairs.length / Math.max(1, own.filter((sample) => sample !== null).length),
    clockMs,
    clockChangeMs: (last ?? 0) - (first ?? 0),
    offsetMeters: Math.hypot(offset.x, offset.y),
    residualMeters: rootMeanSquare(left.map(({ x, y }) => Math.hypot(x, y))),
    worstMeters: Math.max(...smooth.map(({ x, y }) => Math.hypot(x, y))),
    wanderMeters: rootMeanSquare(smooth.map(({ x, y }) => Math.hypot(x, y))),
    driftMetersPerSecond: measureDrift(left),
    intervalMs: trace.intervalMs ?? Number.NaN,
    speedMetersPerSecond: rootMeanSquare(pairs.map(({ v }) => v)),
    speedScale: compareSpeedsWithPositions(times.map((time) => sampleAt(camera, time + clockMs, plane))),
  };
}

/** The change of a difference over some seconds, for each of them. */
function measureDrift(left: readonly { index: number; x: number; y: number }[]): number {
  const steps = Math.round(WANDER_MS / STEP_MS);
  const byIndex = new Map(left.map((one) => [one.index, one]));
  const changes = left.flatMap(({ index, x, y }) => {
    const later = byIndex.get(index + steps);
    return later ? [Math.hypot(later.x - x, later.y - y) / (WANDER_MS / 1_000)] : [];
  });
  return rootMeanSquare(changes);
}

type Sample = { x: number; y: number; v: number };

function compareSpeedsWithPositions(samples: readonly (Sample | null)[]): number {
  let [bySpeeds, byPositions] = [0, 0];
  samples.forEach((sample, index) => {
    const next = samples[index + 1];
    if (!sample || !next) return;
    bySpeeds += ((sample.v + next.v) / 2) * (STEP_MS / 1_000);
    byPositions += Math.hypot(next.x - sample.x, next.y - sample.y);
  });
  return bySpeeds / byPositions;
}

type Difference = { index: number; x: number; y: number; v: number };

/** The difference of the clocks at which the positions, but for a constant, lie closest. */
function fitClock(differences: (clockMs: number) => Difference[], aroundMs: number, reachMs: number): number {
  let [best, reach] = [aroundMs, reachMs];
  for (const step of CLOCK_STEPS_MS) {
    const candidates: number[] = [];
    for (let clock = best - reach; clock <= best + reach; clock += step) candidates.push(clock);
    const costs = candidates.map((clock) => cost(differences(clock)));
    best = candidates[costs.indexOf(Math.min(...costs))] ?? best;
    reach = step;
  }
  return best;
}

function cost(differences: readonly Difference[]): number {
  if (differences.length < SAMPLES_MIN / 4) return Number.POSITIVE_INFINITY;
  const [x, y] = [mean(differences.map((one) => one.x)), mean(differences.map((one) => one.y))];
  return mean(differences.map((one) => (one.x - x) ** 2 + (one.y - y) ** 2));
}

/** Samples position and speed at a moment, between two fixes; null outside of them and in gaps. */
function sampleAt(fixes: FixColumns, timeMs: number, plane: ReturnType<typeof planeAround>) {
  const { timesMs, lats, lons, speedsMetersPerSecond, length } = fixes;
  if (length < 2 || timeMs < at(timesMs, 0) || timeMs > at(timesMs, length - 1)) return null;
  const after = upperBound(timesMs, timeMs, 1, length - 1);
  const before = after - 1;
  const span = at(timesMs, after) - at(timesMs, before);
  if (span > GAP_MAX_MS) return null;
  const share = span > 0 ? (timeMs - at(timesMs, before)) / span : 0;
  const between = (column: Float64Array) =>
    at(column, before) + share * (at(column, after) - at(column, before));
  return {
    x: planeX(plane, between(lons)),
    y: planeY(plane, between(lats)),
    v: between(speedsMetersPerSecond),
  };
}

function smoothed(points: readonly { x: number; y: number }[], width: number) {
  return points.slice(0, Math.max(1, points.length - width)).map((_, index) => {
    const some = points.slice(index, index + width);
    return { x: mean(some.map(({ x }) => x)), y: mean(some.map(({ y }) => y)) };
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(mean(values.map((value) => value * value)));
}
