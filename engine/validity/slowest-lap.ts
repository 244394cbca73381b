import { BIN_METERS, type CenterLine } from '../center-line.ts';
import { at } from '../fix-columns.ts';

/**
 * A car that is driven more gently than any race car, even in rain: it corners with 0.35 g, gains and loses speed as a bus does, and
 * never goes faster than 95 km/h. In traffic and by traffic rules, ordinary cars need longer for a lap of a street circuit.
 */
const CORNERING = 3.5;
const ACCELERATION = 1.2;
const BRAKING = 2;
const TOP_SPEED_METERS_PER_SECOND = 95 / 3.6;
/** Hire karts go no faster than a cyclist, on circuits of up to a kilometre. */
const KART_METERS_PER_SECOND = 9.5;
const KART_LAP_METERS = 1000;
const CAR_LAP_METERS = 3000;

/** Corners of outlines are polygons: their radius shows over some bins. */
const ARM_BINS = 3;

/** Returns how long a gentle drive around a closed centre line takes: laps that are slower were not driven at racing speed. Seconds. */
export function gentleLapSeconds(line: CenterLine): number {
  const count = line.xs.length;
  const share = (line.lengthMeters - KART_LAP_METERS) / (CAR_LAP_METERS - KART_LAP_METERS);
  const topSpeed =
    KART_METERS_PER_SECOND +
    Math.min(Math.max(share, 0), 1) * (TOP_SPEED_METERS_PER_SECOND - KART_METERS_PER_SECOND);
  const speeds = Float64Array.from({ length: count }, (_, bin) =>
    Math.min(topSpeed, Math.sqrt(CORNERING * radiusMeters(line, bin))),
  );
  const stepMeters = line.lengthMeters / count;
  limitChanges(speeds, 2 * ACCELERATION * stepMeters, 1);
  limitChanges(speeds, 2 * BRAKING * stepMeters, -1);
  return speeds.reduce((seconds, speed) => seconds + stepMeters / speed, 0);
}

function radiusMeters({ xs, ys }: CenterLine, bin: number): number {
  const count = xs.length;
  const point = (index: number): [number, number] => {
    const wrapped = (index + count) % count;
    return [at(xs, wrapped), at(ys, wrapped)];
  };
  const [[ax, ay], [bx, by], [cx, cy]] = [point(bin - ARM_BINS), point(bin), point(bin + ARM_BINS)];
  const doubleArea = Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay));
  const sides = Math.hypot(bx - ax, by - ay) * Math.hypot(cx - bx, cy - by) * Math.hypot(ax - cx, ay - cy);
  return Math.max(sides / (2 * doubleArea), BIN_METERS / 2);
}

/** Limits by how much the square of the speed grows from one bin to the next, in place. Twice around, because a lap has no beginning. */
function limitChanges(speeds: Float64Array, squareGain: number, direction: 1 | -1): void {
  const count = speeds.length;
  for (let step = 0; step < 2 * count; step += 1) {
    const bin = direction === 1 ? step % count : count - 1 - (step % count);
    const before = (bin - direction + count) % count;
    speeds[bin] = Math.min(at(speeds, bin), Math.sqrt(at(speeds, before) ** 2 + squareGain));
  }
}
