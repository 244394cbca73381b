import { roughDistanceMeters } from '../geo.ts';
import type { Trace } from './trace.ts';

/** Shorter moves are noise rather than distance, above all while the car stands. */
const STEP_MIN_METERS = 8;

/** How far the car had gone at every fix, in metres. Gaps count as straight lines. */
export function cumulativeDistances(trace: Trace): Float64Array {
  const { fixes } = trace;
  const meters = new Float64Array(fixes.length);
  let anchor = 0;
  let sum = 0;
  for (let index = 1; index < fixes.length; index += 1) {
    const step = roughDistanceMeters(fixes.lats, fixes.lons, anchor, index);
    if (step >= STEP_MIN_METERS) {
      sum += step;
      anchor = index;
      meters[index] = sum;
    } else {
      meters[index] = sum + step;
    }
  }
  return meters;
}
