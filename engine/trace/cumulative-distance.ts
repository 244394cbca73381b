import { at } from '../fix-columns.ts';
import { METERS_PER_DEGREE, metersPerDegreeLon, lonDifference } from '../geo.ts';
import { COARSE_DECIMALS, countDecimals } from './coordinate-decimals.ts';
import type { Trace } from './trace.ts';

/** Shorter moves are noise rather than distance, above all while the car is stationary. */
const STEP_MIN_METERS = 8;
/** Positions 11 m apart zigzag around the path. */
const COARSE_STEP_MIN_METERS = 45;

/** Returns how far the car had gone at every fix, in metres. Gaps count as straight lines. */
export function cumulativeDistances(trace: Trace): Float64Array {
  const { fixes } = trace;
  const stepMin = countDecimals(fixes) <= COARSE_DECIMALS ? COARSE_STEP_MIN_METERS : STEP_MIN_METERS;
  const meters = new Float64Array(fixes.length);
  if (fixes.length === 0) return meters;
  let [lat, lon] = [at(fixes.lats, 0), at(fixes.lons, 0)];
  let lonMeters = metersPerDegreeLon(lat);
  let sum = 0;
  for (let index = 1; index < fixes.length; index += 1) {
    const north = (at(fixes.lats, index) - lat) * METERS_PER_DEGREE;
    const east = lonDifference(lon, at(fixes.lons, index)) * lonMeters;
    const step = Math.sqrt(north * north + east * east);
    meters[index] = sum + step;
    if (step < stepMin) continue;
    sum += step;
    lat = at(fixes.lats, index);
    lon = at(fixes.lons, index);
    lonMeters = metersPerDegreeLon(lat);
  }
  return meters;
}
