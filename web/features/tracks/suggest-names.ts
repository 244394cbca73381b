import type { Track } from '#contract/tracks/schemas.ts';
import { distanceMeters } from '#engine/geo.ts';
import type { Track as DrivenTrack } from '#engine/track.ts';
import { formatLengthKm } from '#web/ui/format.ts';

export type TrackNames = { name: string; configuration: string; location: string; country: string };

/** Names for a new track, and the sentence that says where they are from. */
export type SuggestedNames = TrackNames & { source: string };

/** A known course without a start line: its names, and whose they are. */
export type NamedCourse = {
  name: string;
  configuration: string | null;
  location: string | null;
  country: string | null;
  attribution: string;
};

type KnownTrack = Pick<Track, 'name' | 'location' | 'country' | 'centerLat' | 'centerLon'>;
type Surroundings = { tracks: readonly KnownTrack[]; country: string | null; course: NamedCourse | null };

/** The centres of two layouts of one venue are closer together. */
const SAME_VENUE_METERS = 2000;

/** Suggests names for a driven track: those of its course, of the venue or of the nearest known track, else its position. */
export function suggestNames(driven: DrivenTrack, { tracks, country, course }: Surroundings): SuggestedNames {
  const { centerLat, centerLon } = driven;
  const position = `${formatDegrees(centerLat, 'N', 'S')}, ${formatDegrees(centerLon, 'E', 'W')}`;
  const length = driven.lengthMeters === null ? '' : formatLengthKm(driven.lengthMeters).replace(/\s/, ' ');
  const unnamed = {
    name: ['Unnamed track', length].filter(Boolean).join(', '),
    configuration: '',
    location: position,
    country: country ?? '',
  };
  if (course !== null) return nameAfterCourse(course, unnamed);
  const [nearest] = tracks
    .map((track) => ({ track, meters: distanceMeters(positionOf(track), positionOf(driven)) }))
    .toSorted((one, other) => one.meters - other.meters);
  if (nearest === undefined) {
    return {
      ...unnamed,
      source: 'No name is known here. Give the track its name if you know it; it can be corrected later.',
    };
  }
  const { track, meters } = nearest;
  const place = { location: track.location ?? position, country: track.country ?? country ?? '' };
  if (meters <= SAME_VENUE_METERS) {
    const source = `Names from ${track.name}, which is here. The layout is named after its length.`;
    return { ...place, name: track.name, configuration: length, source };
  }
  const source = `Place from ${track.name}, ${Math.round(meters / 1000)} km away. Give the track its name if you know it.`;
  return { ...unnamed, ...place, source };
}

/** Takes the names of a course, and of `unnamed` what the course lacks. */
function nameAfterCourse(course: NamedCourse, unnamed: TrackNames): SuggestedNames {
  return {
    name: course.name,
    configuration: course.configuration ?? '',
    location: course.location ?? unnamed.location,
    country: course.country ?? unnamed.country,
    source: `Name from the map, ${course.attribution}.`,
  };
}

function positionOf({ centerLat, centerLon }: Pick<DrivenTrack, 'centerLat' | 'centerLon'>) {
  return { lat: centerLat, lon: centerLon };
}

/** Formats degrees to about a hundred metres: 45.046° N. */
function formatDegrees(degrees: number, positive: string, negative: string): string {
  return `${Math.abs(degrees).toFixed(3)}° ${degrees < 0 ? negative : positive}`;
}
