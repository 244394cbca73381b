import { at, pickFixes } from '../fix-columns.ts';
import { METERS_PER_DEGREE, wrapDegrees } from '../geo.ts';
import type { Trace } from '../trace/trace.ts';

const RADIANS_PER_DEGREE = Math.PI / 180;

/**
 * Returns the same trace with fewer fixes: the ends of its parts, and in between one every `stepMeters`. Runs over
 * every fix of a recording, so that the cosine of the latitude is only taken where a fix is kept.
 */
export function downsampleTrace(trace: Trace, stepMeters: number): Trace {
  const { lats, lons, length } = trace.fixes;
  const kept = new Int32Array(length);
  const starts: number[] = [];
  const squaredStep = (stepMeters / METERS_PER_DEGREE) ** 2;
  let [part, count, partEnd] = [0, 0, 0];
  // NaN before the first of a part: not nearer than anything.
  let [lat, lon, shrink] = [Number.NaN, Number.NaN, 1];
  for (let fix = 0; fix < length; fix += 1) {
    if (fix === partEnd) {
      starts.push(count);
      part += 1;
      partEnd = trace.partStarts[part] ?? length;
      lat = Number.NaN;
    }
    const north = at(lats, fix) - lat;
    const east = wrapDegrees(at(lons, fix) - lon) * shrink;
    if (north * north + east * east < squaredStep && fix + 1 < partEnd) continue;
    kept[count] = fix;
    count += 1;
    lat = at(lats, fix);
    lon = at(lons, fix);
    shrink = Math.cos(lat * RADIANS_PER_DEGREE);
  }
  return { ...trace, partStarts: starts, fixes: pickFixes(trace.fixes, kept.subarray(0, count)) };
}
