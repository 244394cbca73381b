import { at } from './fix-columns.ts';
import type { Trace } from './trace.ts';

/** Right to half a percent, which is enough for what a step is compared with. */
const METERS_PER_DEGREE = 111_230;
const RADIANS_PER_DEGREE = Math.PI / 180;

/**
 * The same trace with fewer fixes: the ends of its parts, and in between one every `stepMeters`. Runs over every fix of a
 * recording, so that the cosine of the latitude is only taken where a fix is kept.
 */
export function thinTrace(trace: Trace, stepMeters: number): Trace {
  const { fixes, partStarts } = trace;
  const kept = new Int32Array(fixes.length);
  const starts: number[] = [];
  let count = 0;
  const squaredStep = (stepMeters / METERS_PER_DEGREE) ** 2;
  partStarts.forEach((first, part) => {
    starts.push(count);
    const last = (partStarts[part + 1] ?? fixes.length) - 1;
    let [lat, lon, shrink] = [Number.NaN, Number.NaN, 1];
    for (let fix = first; fix <= last; fix += 1) {
      const [nextLat, nextLon] = [at(fixes.lats, fix), at(fixes.lons, fix)];
      const squared = (nextLat - lat) ** 2 + ((nextLon - lon) * shrink) ** 2;
      // NaN before the first: not nearer than anything.
      if (fix < last && squared < squaredStep) continue;
      kept[count] = fix;
      count += 1;
      [lat, lon, shrink] = [nextLat, nextLon, Math.cos(nextLat * RADIANS_PER_DEGREE)];
    }
  });
  return { ...trace, partStarts: starts, fixes: pickFixes(trace, kept.subarray(0, count)) };
}

function pickFixes({ fixes }: Trace, kept: Int32Array): Trace['fixes'] {
  const pick = (column: Float64Array): Float64Array => {
    const picked = new Float64Array(kept.length);
    kept.forEach((fix, index) => {
      picked[index] = at(column, fix);
    });
    return picked;
  };
  return {
    length: kept.length,
    timesMs: pick(fixes.timesMs),
    lats: pick(fixes.lats),
    lons: pick(fixes.lons),
    speedsMetersPerSecond: pick(fixes.speedsMetersPerSecond),
  };
}
