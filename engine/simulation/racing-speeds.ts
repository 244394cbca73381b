import type { Vehicle } from './drive.ts';
import type { DrivingStyle } from './driving-style.ts';

/** Describes one metre of a racing line as one driver takes it. */
export type RacingStep = Omit<DrivingStyle, 'asideMeters'> & {
  /** Length up to the next step. */
  meters: number;
  curvature: number;
};

/**
 * Returns the speeds of a car that shares its tyres between turning and braking or accelerating, and has to push the air
 * aside: at its top speed all of its power goes there.
 */
export function racingSpeeds(
  steps: readonly RacingStep[],
  vehicle: Vehicle,
  { startMetersPerSecond, topMetersPerSecond }: { startMetersPerSecond: number; topMetersPerSecond: number },
): number[] {
  const limits = steps.map(({ curvature, corneringFactor }) =>
    Math.min(
      topMetersPerSecond,
      Math.sqrt((corneringFactor * vehicle.cornering) / Math.max(curvature, 1e-6)),
    ),
  );
  const speeds = brakeInTime(steps, limits, vehicle);
  speeds[0] = startMetersPerSecond;
  let metersOnThrottle = 0;
  for (let index = 1; index < speeds.length; index += 1) {
    const [before, step] = [speeds[index - 1] ?? 0, steps[index - 1]];
    if (step === undefined) break;
    const opened = Math.min(1, (metersOnThrottle + step.meters) / step.throttleMeters);
    const drag = (vehicle.wattsPerKilogram * before ** 2) / topMetersPerSecond ** 3;
    const pull = Math.max(0, vehicle.wattsPerKilogram / before - drag);
    const push =
      step.pushFactor * opened * Math.min(vehicle.traction * gripLeft(step, before, vehicle), pull);
    const speed = Math.min(speeds[index] ?? 0, Math.sqrt(before ** 2 + 2 * step.meters * push));
    const isBraking = before ** 2 - speed ** 2 > 2 * step.meters * LIFTING;
    metersOnThrottle = isBraking ? 0 : metersOnThrottle + step.meters;
    speeds[index] = speed;
  }
  return speeds;
}

/** Slows a car in m/s² whose driver only lifts for a moment, and is back on the throttle at once. */
const LIFTING = 2;

/** Lowers speeds to those from which the car can still brake for what comes. */
function brakeInTime(steps: readonly RacingStep[], limits: readonly number[], vehicle: Vehicle): number[] {
  const speeds = [...limits];
  for (let index = speeds.length - 2; index >= 0; index -= 1) {
    const [next, step] = [speeds[index + 1] ?? 0, steps[index]];
    if (step === undefined) break;
    const braking = step.brakingFactor * vehicle.braking * gripLeft(step, next, vehicle);
    speeds[index] = Math.min(speeds[index] ?? 0, Math.sqrt(next ** 2 + 2 * step.meters * braking));
  }
  return speeds;
}

/** Drivers do not let go of the brakes or the throttle altogether in a corner. */
const LEAST_LEFT = 0.12;

/** Returns the share of the grip that turning leaves. */
function gripLeft({ curvature, corneringFactor }: RacingStep, speed: number, { cornering }: Vehicle): number {
  const used = (speed ** 2 * curvature) / (corneringFactor * cornering);
  return Math.max(LEAST_LEFT, Math.sqrt(Math.max(0, 1 - used ** 2)));
}
