import { at } from '../fix-columns.ts';
import { toPosition, type Plane, type PlanePoint } from '../geo.ts';
import type { Random } from './random.ts';
import { slowErrors, type Receiver } from './receiver.ts';
import { element } from './road.ts';

/** Describes one position as a receiver would report it. */
export type DrivenFix = { timeMs: number; lat: number; lon: number; speedMetersPerSecond: number };

/** Every metre of a drive: where, how fast and when. Between two points the acceleration is constant. */
export type Motion = { points: PlanePoint[]; speeds: Float64Array; timesMs: Float64Array };

/** Records a drive with a receiver: its fixes, with the errors that it makes. */
export function recordFixes(motion: Motion, plane: Plane, random: Random, receiver: Receiver): DrivenFix[] {
  const fixes: DrivenFix[] = [];
  const intervalMs = 1000 / receiver.rateHz;
  const nextErrors = slowErrors(receiver, random);
  const [startMs, endMs] = [at(motion.timesMs, 0), at(motion.timesMs, motion.timesMs.length - 1)];
  const first = Math.ceil(startMs / intervalMs) * intervalMs;
  let step = 0;
  for (let due = first; due < endMs - 5 * receiver.jitterMs; due += intervalMs) {
    const errors = nextErrors();
    const timeMs = Math.max(startMs, due + receiver.jitterMs * random.normal());
    if (random.uniform() < receiver.lossShare) continue;
    while (step > 0 && at(motion.timesMs, step) > timeMs) step -= 1;
    while (at(motion.timesMs, step + 1) <= timeMs) step += 1;
    const { point, speed } = stateAt(motion, step, timeMs);
    const seen = {
      x: point.x + errors.x + receiver.noiseMeters * random.normal(),
      y: point.y + errors.y + receiver.noiseMeters * random.normal(),
    };
    const { lat, lon } = toPosition(plane, seen);
    // A receiver without this takes no random number for it.
    const stampMs = receiver.stampJitterMs > 0 ? timeMs + receiver.stampJitterMs * random.normal() : timeMs;
    fixes.push({
      timeMs: cut(stampMs, receiver.timeStampStepMs),
      lat: round(lat, receiver.coordinateDecimals),
      lon: round(lon, receiver.coordinateDecimals),
      speedMetersPerSecond: receiver.hasSpeed
        ? Math.max(0, speed + errors.speed + receiver.speedNoiseMetersPerSecond * random.normal())
        : Number.NaN,
    });
  }
  return fixes;
}

function stateAt(motion: Motion, step: number, timeMs: number): { point: PlanePoint; speed: number } {
  const [speed, next] = [at(motion.speeds, step), at(motion.speeds, step + 1)];
  const [from, to] = [element(motion.points, step), element(motion.points, step + 1)];
  const meters = outlineLength(motion.points, step);
  const acceleration = (next ** 2 - speed ** 2) / (2 * meters);
  const seconds = (timeMs - at(motion.timesMs, step)) / 1000;
  const u = (speed * seconds + (acceleration * seconds ** 2) / 2) / meters;
  return {
    point: { x: from.x + u * (to.x - from.x), y: from.y + u * (to.y - from.y) },
    speed: speed + acceleration * seconds,
  };
}

/** Returns the length of a drive from this point to the next. */
export function outlineLength(points: PlanePoint[], step: number): number {
  const [from, to] = [element(points, step), element(points, step + 1)];
  return Math.sqrt((to.x - from.x) ** 2 + (to.y - from.y) ** 2);
}

function cut(value: number, step: number): number {
  return step > 0 ? Math.floor(value / step) * step : value;
}

/** Ten digits after the point are more than a double holds of a longitude. */
function round(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
