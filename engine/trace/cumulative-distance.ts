import { roughDistanceMeters } from '../geo.ts';
import { COARSE_DECIMALS, countDecimals } from './coordinate-decimals.ts';
import type { Trace } from './trace.ts';

/** Shorter moves are noise rather than distance, above all while the car is stationary. */
const STEP_MIN_METERS = 8;
/** Positions 11 m apart zigzag around the way. */
const COARSE_STEP_MIN_METERS = 45;

/** How far the car had gone at every fix, in metres. Gaps count as straight lines. */
export function cumulativeDistances(trace: Trace): Float64Array {
  const { fixes } = trace;
  const stepMin = countDecimals(fixes) <= COARSE_DECIMALS ? COARSE_STEP_MIN_METERS : STEP_MIN_METERS;
  const meters = new Float64Array(fixes.length);
  let anchor = 0;
  let sum = 0;
  for (let index = 1; index < fixes.length; index += 1) {
    const step = roughDistanceMeters(fixes.lats, fixes.lons, anchor, index);
    if (step >= stepMin) {
      sum += step;
      anchor = index;
      meters[index] = sum;
    } else {
      meters[index] = sum + step;
    }
  }
  return meters;
}
