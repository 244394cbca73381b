import { upperBound } from '../binary-search.ts';

type Column = ArrayLike<number>;

/** Holds when a lap passed each station of a line: metres along the line and milliseconds since the start of the lap, both rising. */
export type TimedPlaces = { meters: Column; elapsedMs: Column };

/** Returns how far a lap had come at a moment; its ends before and after it. */
export function placeAt({ meters, elapsedMs }: TimedPlaces, timeMs: number): number {
  return interpolate(elapsedMs, meters, timeMs);
}

/** Returns when a lap came by a place. */
export function timeAt({ meters, elapsedMs }: TimedPlaces, place: number): number {
  return interpolate(meters, elapsedMs, place);
}

/** The pace is measured over this much of the line, because single steps between stations are noisy. */
const PACE_METERS = 8;

/** Returns how many seconds a lap needs at a place for each second of the reference: above one it is slower there. */
export function comparePace(reference: TimedPlaces, own: TimedPlaces, place: number): number {
  const last = reference.meters[reference.meters.length - 1] ?? 0;
  const to = Math.min(last, place + PACE_METERS);
  const from = Math.max(0, to - 2 * PACE_METERS);
  const referenceMs = timeAt(reference, to) - timeAt(reference, from);
  const ownMs = timeAt(own, to) - timeAt(own, from);
  return referenceMs > 0 && ownMs > 0 ? ownMs / referenceMs : 1;
}

function entry(column: Column, index: number): number {
  return column[index] ?? Number.NaN;
}

function interpolate(from: Column, to: Column, value: number): number {
  const last = from.length - 1;
  if (!(value > entry(from, 0))) return entry(to, 0);
  if (value >= entry(from, last)) return entry(to, last);
  const after = upperBound(from, value, 1, last);
  const [low, high] = [entry(from, after - 1), entry(from, after)];
  const [start, end] = [entry(to, after - 1), entry(to, after)];
  return high > low ? start + ((end - start) * (value - low)) / (high - low) : start;
}
