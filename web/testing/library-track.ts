import { asTrackId } from '#contract/testing/ids.ts';
import type { ListedTrack } from '#contract/tracks/schemas.ts';

/** Builds a track for tests, named like its id; the other fields hold plausible values. */
export function libraryTrack(id: string, given: Partial<ListedTrack> = {}): ListedTrack {
  return {
    id: asTrackId(id),
    name: id,
    location: null,
    configuration: null,
    country: null,
    lengthMeters: null,
    status: 'official',
    radiusMeters: 1_000,
    centerLat: 51,
    centerLon: 0,
    startFinishLine: null,
    sectors: [],
    outline: null,
    timeZone: 'Europe/London',
    entryCount: 0,
    hasOwnEntry: false,
    ...given,
  };
}
