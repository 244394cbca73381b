import type { TireCompound } from '#contract/lap-words.ts';
import type { Vehicle } from '#engine/simulated/drive.ts';
import type { DemoCar } from './demo-cars.ts';

/** What a set of tyres holds on a dry road, in m/s². */
const GRIPS: Record<TireCompound, number> = {
  'street-300': 9.4,
  'track-200': 10.4,
  rcomp: 11.6,
  'full-slick': 13.2,
};

// The simulated driver stays near the middle of an outline that was drawn by hand. Who uses the whole road takes the same bends
// on wider arcs, which is worth this much grip. Chosen so that a GT3 car needs 1:23 at Laguna Seca and a Miata 1:50.
const LINE_FACTOR = 2.1;
/** See `roadOf`. */
export const DEMO_ROUNDING_METERS = 26;

// Tyres brake better than they turn, with weight on the front; how much of their grip can push depends on which wheels do.
const BRAKING_SHARE = 1.05;
const TRACTION_SHARES: Record<DemoCar['drivetrain'], number> = { FWD: 0.44, RWD: 0.52, AWD: 0.68 };

/**
 * How a car goes on its tyres under a driver.
 *
 * @param form 1 for somebody who leaves nothing on the table, less for everybody else
 */
export function vehicleOf(car: DemoCar, tire: TireCompound, form: number): Vehicle {
  const grip = GRIPS[tire] * car.gripFactor * form;
  return {
    cornering: LINE_FACTOR * grip,
    braking: BRAKING_SHARE * grip,
    traction: TRACTION_SHARES[car.drivetrain] * grip,
    wattsPerKilogram: car.wattsPerKilogram,
  };
}
