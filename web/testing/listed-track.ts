import type { ListedTrack } from '#contract/tracks.ts';

/** A track for tests, called like its id, with something sensible in every field that the test does not care about. */
export function listedTrack(id: string, given: Partial<ListedTrack> = {}): ListedTrack {
  return {
    id,
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
