import type { ParsedTrack } from '#contract/library/schemas.ts';

/** Builds a track of a file for tests: Spa, with all fields that an import requires. */
export function parsedTrack(given: Partial<ParsedTrack> = {}): ParsedTrack {
  return {
    row: 1,
    name: 'Spa',
    configuration: null,
    location: 'Stavelot',
    country: 'Belgium',
    lengthMeters: null,
    status: 'official',
    radiusMeters: 2000,
    centerLat: 50.4372,
    centerLon: 5.9714,
    startFinishLine: null,
    sectors: [],
    outline: null,
    problems: {},
    warnings: [],
    ...given,
  };
}
