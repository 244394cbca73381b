import { distanceMeters, middle, type Position } from '#engine/geo.ts';
import type { KeptTrack } from './kept-tracks.ts';

export type FoundTrack = { kept: KeptTrack; lineMeters: number | null };

/** Finds the track taken along where a position is: of several layouts the one whose line is nearest. Null away from all of them. */
export function findTrack(tracks: readonly KeptTrack[], position: Position): FoundTrack | null {
  const near = tracks
    .filter(({ track }) => {
      const center = { lat: track.centerLat, lon: track.centerLon };
      return distanceMeters(center, position) <= track.radiusMeters;
    })
    .map((kept) => ({ kept, lineMeters: measureLine(kept, position) }))
    .toSorted((one, other) => (one.lineMeters ?? Infinity) - (other.lineMeters ?? Infinity));
  return near[0] ?? null;
}

/** Returns the way to the start line as the crow flies; null for a track without one. */
export function measureLine({ track }: KeptTrack, position: Position): number | null {
  const line = track.startFinishLine;
  return line === null ? null : distanceMeters(middle(line.a, line.b), position);
}
