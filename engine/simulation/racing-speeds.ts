import { at } from '../fix-columns.ts';

/** Describes what grip, brakes and engine, or legs, allow: accelerations in m/s². */
export type Vehicle = { cornering: number; braking: number; traction: number; wattsPerKilogram: number };

/** Describes the metres of a racing line as one driver takes them, a column for each quantity; see `DrivingStyle`. */
export type RacingSteps = {
  /** Length up to the next step. */
  meters: Float64Array;
  curvatures: Float64Array;
  corneringFactors: Float64Array;
  brakingFactors: Float64Array;
  pushFactors: Float64Array;
  throttleMeters: Float64Array;
};

/**
 * Returns the speeds of a car that shares its tyres between turning and braking or accelerating, and has to push the air
 * aside: at its top speed all of its power goes there.
 */
export function racingSpeeds(
  steps: RacingSteps,
  vehicle: Vehicle,
  { startMetersPerSecond, topMetersPerSecond }: { startMetersPerSecond: number; topMetersPerSecond: number },
): Float64Array {
  const { meters, curvatures, corneringFactors, pushFactors, throttleMeters } = steps;
  const limits = curvatures.map((curvature, step) =>
    Math.min(
      topMetersPerSecond,
      Math.sqrt((at(corneringFactors, step) * vehicle.cornering) / Math.max(curvature, 1e-6)),
    ),
  );
  const speeds = brakeInTime(steps, limits, vehicle);
  speeds[0] = startMetersPerSecond;
  let metersOnThrottle = 0;
  for (let step = 0; step + 1 < speeds.length; step += 1) {
    const [before, length] = [at(speeds, step), at(meters, step)];
    const opened = Math.min(1, (metersOnThrottle + length) / at(throttleMeters, step));
    const drag = (vehicle.wattsPerKilogram * before ** 2) / topMetersPerSecond ** 3;
    const pull = Math.max(0, vehicle.wattsPerKilogram / before - drag);
    const grip = vehicle.traction * gripLeft(steps, step, before, vehicle);
    const push = at(pushFactors, step) * opened * Math.min(grip, pull);
    const speed = Math.min(at(speeds, step + 1), Math.sqrt(before ** 2 + 2 * length * push));
    const isBraking = before ** 2 - speed ** 2 > 2 * length * LIFTING;
    metersOnThrottle = isBraking ? 0 : metersOnThrottle + length;
    speeds[step + 1] = speed;
  }
  return speeds;
}

/** Slows a car in m/s² whose driver only lifts for a moment, and is back on the throttle at once. */
const LIFTING = 2;

/** Lowers speeds to those from which the car can still brake for what comes. */
function brakeInTime(
  steps: RacingSteps,
  limits: Float64Array<ArrayBuffer>,
  vehicle: Vehicle,
): Float64Array<ArrayBuffer> {
  const speeds = limits.slice();
  for (let step = speeds.length - 2; step >= 0; step -= 1) {
    const next = at(speeds, step + 1);
    const braking = at(steps.brakingFactors, step) * vehicle.braking * gripLeft(steps, step, next, vehicle);
    speeds[step] = Math.min(at(speeds, step), Math.sqrt(next ** 2 + 2 * at(steps.meters, step) * braking));
  }
  return speeds;
}

/** Drivers do not let go of the brakes or the throttle altogether in a corner. */
const LEAST_LEFT = 0.12;

/** Returns the share of the grip that turning leaves. */
function gripLeft(
  { curvatures, corneringFactors }: RacingSteps,
  step: number,
  speed: number,
  { cornering }: Vehicle,
): number {
  const used = (speed ** 2 * at(curvatures, step)) / (at(corneringFactors, step) * cornering);
  return Math.max(LEAST_LEFT, Math.sqrt(Math.max(0, 1 - used ** 2)));
}
