import { at } from '../fix-columns.ts';
import { distanceMeters } from '../geo.ts';
import type { Trace } from '../trace/trace.ts';
import type { Track } from '../track.ts';

/** From the fix nearest to the track's centre to the circle around the track; 0 inside, Infinity without fixes. */
export function distanceToTrack({ fixes }: Trace, { centerLat, centerLon, radiusMeters }: Track): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (let index = 0; index < fixes.length && nearest > radiusMeters; index += 1) {
    const position = { lat: at(fixes.lats, index), lon: at(fixes.lons, index) };
    nearest = Math.min(nearest, distanceMeters(position, { lat: centerLat, lon: centerLon }));
  }
  return Math.max(0, nearest - radiusMeters);
}
