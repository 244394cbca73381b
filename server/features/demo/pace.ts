import type { TrackId } from '#contract/ids.ts';
import type { TireCompound } from '#contract/laps/labels.ts';
import type { Vehicle } from '#engine/simulation/drive.ts';
import type { DemoCar } from './demo-cars.ts';
import { getDemoTrack } from './demo-tracks.ts';

/** Each set of tyres has this grip on a dry road, in m/s². */
const GRIPS: Record<TireCompound, number> = {
  'street-300': 9.4,
  'track-200': 10.4,
  rcomp: 11.6,
  'full-slick': 13.2,
};

/** The demo rounds the corners of outlines over this length, so that no kink of a polygon is left; see `buildRoad` of the engine. */
export const DEMO_ROUNDING_METERS = 40;

// Tyres brake better than they turn, with weight on the front; the driven wheels limit the share for acceleration.
const BRAKING_SHARE = 1.05;
const TRACTION_SHARES: Record<DemoCar['drivetrain'], number> = { FWD: 0.44, RWD: 0.52, AWD: 0.68 };

type Drive = {
  trackId: TrackId;
  car: DemoCar;
  tire: TireCompound;
  /** The form is 1 for a perfect driver, less for all others. */
  form: number;
};

/**
 * Finds the limits of a car with its tyres and driver on one of the demo's tracks.
 * @throws on any other track
 */
export function findVehicle({ trackId, car, tire, form }: Drive): Vehicle {
  const grip = GRIPS[tire] * car.gripFactor * form;
  return {
    cornering: getDemoTrack(trackId).lineFactor * grip,
    braking: BRAKING_SHARE * grip,
    traction: TRACTION_SHARES[car.drivetrain] * grip,
    wattsPerKilogram: car.wattsPerKilogram,
  };
}
