import { at, type FixColumns } from '../fix-columns.ts';
import { planeX, planeY } from '../geo.ts';
import { fitCubic, type Observation } from './cubic-fit.ts';
import type { PositionNoise } from './position-noise.ts';
import { speedAt, type SpeedModel } from '../trace/speed-model.ts';
import {
  straightLineErrorMeters,
  limitSlopes,
  evaluateSlope,
  USUAL_ACCELERATION_METERS_PER_SECOND_SQUARED,
  findZero,
  type Curve,
  type Step,
} from './hermite-interpolation.ts';
import type { LineFrame } from '../timing-line.ts';
import { CAR_SPEED_MAX_METERS_PER_SECOND, CORRECTION_MAX_METERS, type Trace } from '../trace/trace.ts';

export type Crossing = {
  timeMs: number;
  /** True where the car went in the line's forward direction. */
  isForward: boolean;
  /** The last fix before the crossing, or the one that lies exactly on the line. */
  fixIndex: number;
  /** Distance to the right of the middle of the line, seen in its forward direction. */
  lateralMeters: number;
  /** The component of the car's speed at right angles to the line, when crossing it. */
  speedMetersPerSecond: number;
  /** Time between the two fixes around the line. */
  intervalMs: number;
  /** Standard deviation of the interpolated position along the track, in metres. */
  interpolationMeters: number;
  /** The share of a single fix's noise that remains in the crossing's position: the more fixes it uses, the less. */
  noiseShare: number;
};

/** Describes a trace and what is known of the quality of its speeds and positions. */
export type MeasuredTrace = { trace: Trace; speeds: SpeedModel | null; noise: PositionNoise };

// A fix is a metre or two wide of the truth now and then. Pit lanes are farther away from the track than this.
const END_TOLERANCE_METERS = 1.5;
// A car that has not gone this far from the line since has not crossed it again: it is stationary there or manoeuvres.
const LEAVING_METERS = 25;

/**
 * Finds every crossing of a line, in both directions, in order of time. A fix exactly on the line belongs to the step
 * that leaves it, so that it counts once; the last fix of an unbroken part counts although nothing leaves it.
 * The moment follows from positions and speeds where there is a speed model, else from positions alone, and from all
 * fixes within half a second where the two around the line cannot be trusted. See docs/timing.md.
 */
export function findCrossings({ trace, speeds, noise }: MeasuredTrace, frame: LineFrame): Crossing[] {
  const crossings: Crossing[] = [];
  const { whiteMeters } = noise;
  trace.partStarts.forEach((first, part) => {
    const last = (trace.partStarts[part + 1] ?? trace.fixes.length) - 1;
    for (const crossing of crossingsInPart({ fixes: trace.fixes, frame, speeds, whiteMeters, first, last })) {
      // Both parts of a trace that breaks right at the line may hold the same crossing.
      if (crossing.timeMs > (crossings.at(-1)?.timeMs ?? -Infinity) + 2 * BEYOND_EDGE_MAX_MS)
        crossings.push(crossing);
    }
  });
  return crossings;
}

/** An unbroken part of a trace, seen from a line. */
type Approach = {
  fixes: FixColumns;
  frame: LineFrame;
  speeds: SpeedModel | null;
  whiteMeters: number;
  first: number;
  last: number;
};

function crossingsInPart(approach: Approach): Crossing[] {
  const { fixes, frame, first, last } = approach;
  const crossings: Crossing[] = [];
  /** Crossings since the car was last away from the line; a car that rolls back and forth makes several. */
  let cluster: Crossing[] = crossingBeyondEdge(approach, first, first + 1);
  let side = 0;
  for (let index = first; index <= last; index += 1) {
    const ahead = forwardMeters(frame, at(fixes.lats, index), at(fixes.lons, index));
    if (cluster.length > 0 && Math.abs(ahead) > LEAVING_METERS) {
      crossings.push(...resolveCluster(cluster));
      cluster = [];
    }
    if (ahead === 0 && index < last) continue;
    const sideNow = Math.sign(ahead) || -side;
    const hasCrossed = side === 0 ? index > first && sideNow !== 0 : sideNow === -side;
    if (hasCrossed) {
      const crossing = crossingBetween(approach, index - 1, sideNow > 0);
      if (crossing !== null) cluster.push(crossing);
    }
    side = sideNow;
    if (cluster.length === 0) index = skipDistantFixes(approach, index, Math.abs(ahead));
  }
  cluster.push(...crossingBeyondEdge(approach, last, last - 1));
  crossings.push(...resolveCluster(cluster));
  return crossings;
}

/**
 * Returns the crossing beyond the fix at the `edge` of a part, or none; `inner` is the fix next to it. Loggers that end
 * a recording where they think the line is write their last row a hand's breadth short of ours, and begin the next one
 * a hand's breadth behind it. A car at speed has crossed both.
 */
function crossingBeyondEdge(approach: Approach, edge: number, inner: number): Crossing[] {
  const { fixes, frame, first, last } = approach;
  if (first === last) return [];
  const intervalMs = Math.abs(at(fixes.timesMs, edge) - at(fixes.timesMs, inner));
  const ahead = forwardAt(approach, edge);
  const outwards = ahead - forwardAt(approach, inner);
  const beyondMs = (-ahead / outwards) * intervalMs;
  if (!(beyondMs > 0 && beyondMs <= BEYOND_EDGE_MAX_MS)) return [];
  if (Math.abs(lateralAt(approach, edge)) > frame.halfWidthMeters + END_TOLERANCE_METERS) return [];
  const isEnd = edge > inner;
  return [
    {
      timeMs: at(fixes.timesMs, edge) + (isEnd ? beyondMs : -beyondMs),
      isForward: outwards > 0 === isEnd,
      fixIndex: Math.min(edge, inner),
      lateralMeters: lateralAt(approach, edge),
      speedMetersPerSecond: (1000 * Math.abs(outwards)) / intervalMs,
      intervalMs,
      interpolationMeters: Math.abs(ahead),
      noiseShare: 1,
    },
  ];
}

/** Cars go a metre at most in this time, but for the quickest, and it is far less than the time between two fixes of most receivers. */
const BEYOND_EDGE_MAX_MS = 30;

/**
 * The last of the next fixes that cannot have got to the line yet, from one so far away from it: no move in a trace is
 * longer than a car at full speed and a correction of the receiver. Most fixes need not be looked at for this line.
 */
function skipDistantFixes({ fixes, last }: Approach, index: number, awayMeters: number): number {
  if (index >= last) return index;
  const stepMs = at(fixes.timesMs, index + 1) - at(fixes.timesMs, index);
  const steps = Math.floor((awayMeters - LEAVING_METERS) / longestMoveMeters(stepMs, 1));
  if (!(steps > 1)) return index;
  const target = Math.min(index + steps - 1, last - 1);
  if (target <= index) return index;
  const moved = longestMoveMeters(at(fixes.timesMs, target) - at(fixes.timesMs, index), target - index);
  return moved < awayMeters - LEAVING_METERS ? target : index;
}

function longestMoveMeters(durationMs: number, steps: number): number {
  return (CAR_SPEED_MAX_METERS_PER_SECOND * durationMs) / 1000 + CORRECTION_MAX_METERS * steps;
}

/** Returns the first of a cluster of crossings in the direction in which the car left; none if it went back. */
function resolveCluster(flock: Crossing[]): Crossing[] {
  const net = flock.reduce((sum, crossing) => sum + (crossing.isForward ? 1 : -1), 0);
  if (net === 0) return [];
  return flock.filter((crossing) => crossing.isForward === net > 0).slice(0, 1);
}

/** Returns the crossing between a fix and the next; null where the car passes beyond the ends of the line. */
function crossingBetween(approach: Approach, index: number, isForward: boolean): Crossing | null {
  const { fixes, frame } = approach;
  const sign = isForward ? 1 : -1;
  const before = sign * forwardAt(approach, index);
  const after = sign * forwardAt(approach, index + 1);
  const share = before === after ? 0 : before / (before - after);
  const aside = lateralAt(approach, index) * (1 - share) + lateralAt(approach, index + 1) * share;
  if (Math.abs(aside) > frame.halfWidthMeters + END_TOLERANCE_METERS) return null;
  const intervalMs = at(fixes.timesMs, index + 1) - at(fixes.timesMs, index);
  const step: Step = { seconds: intervalMs / 1000, before, after };
  const curve = fitCurve(approach, index, sign, step);
  const u = findZero(step, curve);
  const crossing: Crossing = {
    timeMs: at(fixes.timesMs, index) + u * intervalMs,
    isForward,
    fixIndex: index,
    lateralMeters: aside,
    speedMetersPerSecond: Math.max(evaluateSlope(step, curve, u), 0) / step.seconds,
    intervalMs,
    interpolationMeters: curve.errorMeters,
    noiseShare: NOISE_SHARE_OF_TWO_FIXES,
  };
  return shouldRefine(approach) ? refineCrossing(approach, crossing, sign) : crossing;
}

/** Between two fixes the errors of both are averaged: √(u² + (1 − u)²), averaged over all positions u between them. */
const NOISE_SHARE_OF_TWO_FIXES = 0.82;
/** From here on, noise or rounding matter more than what a cubic over a second may lose. */
const NOISY_METERS = 0.1;
/**
 * Good receivers have glitches, too: a few fixes lie some decimetres off, and the speeds show it. Speeds that agree with the
 * positions this well may correct them where they differ by as much.
 */
const GOOD_SPEED_RESIDUAL_METERS = 0.08;
const GLITCH_METERS = 0.03;

function shouldRefine({ whiteMeters, speeds }: Approach): boolean {
  return (
    whiteMeters >= NOISY_METERS || (speeds !== null && speeds.residualMeters <= GOOD_SPEED_RESIDUAL_METERS)
  );
}

/** Short enough for a cubic to follow any car, long enough for the errors of many fixes to level out. */
export const WINDOW_MS = 450;
/** With fewer, a cubic follows their errors. */
const OBSERVATIONS_MIN = 6;
/** Positions and speeds are assumed to have at least this noise when they are weighed, however good a trace looks. */
const POSITION_NOISE_MIN_METERS = 0.03;
const SPEED_NOISE_MIN_METERS_PER_SECOND = 0.05;

/** Returns the same crossing, from all fixes around it: a cubic through positions and speeds. */
function refineCrossing(approach: Approach, crossing: Crossing, sign: number): Crossing {
  const observations = observationsAround(approach, crossing, sign);
  const fit = observations.length < OBSERVATIONS_MIN ? null : fitCubic(observations);
  if (fit === null || !(fit.metersPerSecond > 0)) return crossing;
  const isGlitch = Math.abs(fit.meters) >= GLITCH_METERS;
  const offMs = (-1000 * fit.meters) / fit.metersPerSecond;
  if (Math.abs(offMs) > crossing.intervalMs || !(isGlitch || approach.whiteMeters >= NOISY_METERS))
    return crossing;
  const noiseShare = Math.min(fit.noiseShare, crossing.noiseShare);
  return {
    ...crossing,
    timeMs: crossing.timeMs + offMs,
    speedMetersPerSecond: fit.metersPerSecond,
    noiseShare,
  };
}

function observationsAround(approach: Approach, crossing: Crossing, sign: number): Observation[] {
  const { fixes, speeds, whiteMeters, first, last } = approach;
  const positionNoise = Math.max(whiteMeters, POSITION_NOISE_MIN_METERS);
  const speedNoise = Math.max(speeds?.residualMeters ?? 0, SPEED_NOISE_MIN_METERS_PER_SECOND);
  const weight = (positionNoise / speedNoise) ** 2;
  const observations: Observation[] = [];
  let index = crossing.fixIndex;
  while (index > first && crossing.timeMs - at(fixes.timesMs, index - 1) <= WINDOW_MS) index -= 1;
  for (; index <= last && at(fixes.timesMs, index) - crossing.timeMs <= WINDOW_MS; index += 1) {
    const seconds = (at(fixes.timesMs, index) - crossing.timeMs) / 1000;
    observations.push({ seconds, value: sign * forwardAt(approach, index), isSpeed: false, weight: 1 });
    const speed = speeds === null ? Number.NaN : sign * speedOverLine(approach, speeds, index);
    if (Number.isFinite(speed)) observations.push({ seconds, value: speed, isSpeed: true, weight });
  }
  return observations;
}

function fitCurve(approach: Approach, index: number, sign: number, step: Step): Curve {
  const meters = step.after - step.before;
  const bendMeters = USUAL_ACCELERATION_METERS_PER_SECOND_SQUARED * step.seconds ** 2;
  const straight = {
    slopeBefore: meters,
    slopeAfter: meters,
    errorMeters: straightLineErrorMeters(1000 * step.seconds),
  };
  if (approach.speeds !== null) {
    const slopeBefore = sign * step.seconds * speedOverLine(approach, approach.speeds, index);
    const slopeAfter = sign * step.seconds * speedOverLine(approach, approach.speeds, index + 1);
    const off = Math.abs((slopeBefore + slopeAfter) / 2 - meters);
    const allowed = 5 * approach.speeds.residualMeters + 0.03 * meters + bendMeters / 4;
    const errorMeters = (approach.speeds.residualMeters / 4) * Math.min(1, step.seconds) + off / 10;
    if (off <= allowed) return { ...limitSlopes(slopeBefore, slopeAfter, meters), errorMeters };
  }
  const slopeBefore = sign * step.seconds * positionSlope(approach, index);
  const slopeAfter = sign * step.seconds * positionSlope(approach, index + 1);
  if (!Number.isFinite(slopeBefore + slopeAfter)) return straight;
  const errorMeters = bendMeters / 24 + Math.abs(slopeBefore - slopeAfter) / 24;
  return { ...limitSlopes(slopeBefore, slopeAfter, meters), errorMeters };
}

/** Returns the component of the receiver's speed across the line; NaN where it gave none. */
function speedOverLine(approach: Approach, model: SpeedModel, index: number): number {
  const from = Math.max(approach.first, index - 1);
  const to = Math.min(approach.last, index + 1);
  const forward = forwardAt(approach, to) - forwardAt(approach, from);
  const sideways = lateralAt(approach, to) - lateralAt(approach, from);
  const length = Math.hypot(forward, sideways);
  return length > 0 ? (speedAt(approach.fixes, model, index, approach) * forward) / length : Number.NaN;
}

/** Returns the speed across the line from the neighbouring positions: the slope of the parabola through three fixes. */
function positionSlope(approach: Approach, index: number): number {
  if (index <= approach.first || index >= approach.last) return Number.NaN;
  const { timesMs } = approach.fixes;
  const secondsBefore = (at(timesMs, index) - at(timesMs, index - 1)) / 1000;
  const secondsAfter = (at(timesMs, index + 1) - at(timesMs, index)) / 1000;
  const before = (forwardAt(approach, index) - forwardAt(approach, index - 1)) / secondsBefore;
  const after = (forwardAt(approach, index + 1) - forwardAt(approach, index)) / secondsAfter;
  return (before * secondsAfter + after * secondsBefore) / (secondsBefore + secondsAfter);
}

function forwardAt({ fixes, frame }: Approach, index: number): number {
  return forwardMeters(frame, at(fixes.lats, index), at(fixes.lons, index));
}

function lateralAt({ fixes, frame }: Approach, index: number): number {
  const x = planeX(frame.plane, at(fixes.lons, index));
  const y = planeY(frame.plane, at(fixes.lats, index));
  return x * frame.right.x + y * frame.right.y;
}

function forwardMeters({ plane, forward }: LineFrame, lat: number, lon: number): number {
  return planeX(plane, lon) * forward.x + planeY(plane, lat) * forward.y;
}
