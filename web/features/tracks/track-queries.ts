import type { Track } from '#contract/tracks/schemas.ts';
import { apiQuery } from '#web/api/api-query.ts';

/** Returns the query of the surroundings of a track: other tracks, the country, and the background map. */
export function nearbyQuery({ centerLat, centerLon }: Pick<Track, 'centerLat' | 'centerLon'>) {
  return apiQuery('GET /api/nearby-tracks', { query: { lat: centerLat, lon: centerLon } });
}

export type DescribedTrack = Pick<
  Track,
  'name' | 'configuration' | 'location' | 'country' | 'startFinishLine' | 'finishLine' | 'sectors'
>;
