/** The visible range of a lap on the charts: from one distance to another, in metres. */
export type Range = readonly [from: number, to: number];

const SPAN_MIN_METERS = 60;
/** A range above this share becomes the whole lap. */
const WHOLE_SHARE = 0.98;
const WHEEL_SENSITIVITY = 0.01;

/** Limits a range to the lap and to at least 60 m. */
export function fitRange([from, to]: Range, lengthMeters: number): Range {
  const span = Math.max(to - from, Math.min(SPAN_MIN_METERS, lengthMeters));
  if (span >= lengthMeters * WHOLE_SHARE) return [0, lengthMeters];
  const center = (from + to) / 2;
  const start = Math.min(Math.max(0, center - span / 2), lengthMeters - span);
  return [start, start + span];
}

/** Zooms the range by a factor around a distance that keeps its point on the screen; a factor below 1 zooms in. */
export function zoomRange([from, to]: Range, around: number, factor: number): Range {
  return [around - (around - from) * factor, around + (to - around) * factor];
}

/** Returns the zoom factor for a wheel event, which is how a touchpad sends a pinch. */
export function wheelFactor(deltaY: number): number {
  return Math.exp(Math.max(-50, Math.min(50, deltaY)) * WHEEL_SENSITIVITY);
}

/**
 * Returns the range in which two fingers are over the same metres as when they came down. Fingers are given as shares
 * of the width, from 0 to 1; null if they are too close to each other.
 */
export function pinchRange(
  [from, to]: Range,
  [firstDown, secondDown]: readonly [number, number],
  [first, second]: readonly [number, number],
): Range | null {
  if (Math.abs(second - first) < 0.02) return null;
  const span = ((to - from) * (secondDown - firstDown)) / (second - first);
  if (span <= 0) return null;
  const start = from + firstDown * (to - from) - first * span;
  return [start, start + span];
}
