// A cubic Hermite spline over the time between two fixes models the motion of a car from one to the next.

/** Holds the distances to the line before and after a step over it: not positive, not negative. */
export type Step = { seconds: number; before: number; after: number };

/** Slopes in metres per step at both ends, and how far the true position may be from the cubic through them. */
export type Curve = { slopeBefore: number; slopeAfter: number; errorMeters: number };

/** A quick driver uses this acceleration most of the time. */
export const USUAL_ACCELERATION_METERS_PER_SECOND_SQUARED = 4;

/** Returns the error of linear interpolation half way between two fixes, in metres: a·t²/8 at a constant acceleration. */
export function straightLineErrorMeters(intervalMs: number): number {
  return (USUAL_ACCELERATION_METERS_PER_SECOND_SQUARED * (intervalMs / 1000) ** 2) / 8;
}

/** Returns slopes with which the cubic rises all the way: at most three times the mean (Fritsch and Carlson 1980). */
export function limitSlopes(
  slopeBefore: number,
  slopeAfter: number,
  meters: number,
): { slopeBefore: number; slopeAfter: number } {
  const limit = (slope: number): number => Math.min(Math.max(slope, 0), 3 * meters);
  return { slopeBefore: limit(slopeBefore), slopeAfter: limit(slopeAfter) };
}

/** Finds the share of the step, 0 to 1, at which the cubic passes zero: by Newton's method, with bisection where that would leave the step. */
export function findZero(step: Step, curve: Curve): number {
  let [low, high] = [0, 1];
  let u = step.before === step.after ? 0 : step.before / (step.before - step.after);
  for (let round = 0; round < 30; round += 1) {
    const value = evaluate(step, curve, u);
    if (Math.abs(value) < 1e-9) break;
    if (value < 0) low = u;
    else high = u;
    const next = u - value / evaluateSlope(step, curve, u);
    u = next > low && next < high ? next : (low + high) / 2;
  }
  return u;
}

/** Evaluates Hermite's cubic: distance to the line after the share `u` of the step. */
function evaluate({ before, after }: Step, { slopeBefore, slopeAfter }: Curve, u: number): number {
  const v = 1 - u;
  return v * v * (before * (1 + 2 * u) + slopeBefore * u) + u * u * (after * (1 + 2 * v) - slopeAfter * v);
}

/** Returns the metres per step after the share `u` of it. */
export function evaluateSlope(
  { before, after }: Step,
  { slopeBefore, slopeAfter }: Curve,
  u: number,
): number {
  const v = 1 - u;
  return 6 * u * v * (after - before) + slopeBefore * v * (1 - 3 * u) + slopeAfter * u * (3 * u - 2);
}
