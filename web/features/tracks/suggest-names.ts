import type { NearbyCourse, Track, TrackOrigin } from '#contract/tracks/schemas.ts';
import { distanceMeters } from '#engine/geo.ts';
import type { Track as DrivenTrack } from '#engine/track.ts';
import { formatDistance, formatKilometers } from '#web/ui/format.ts';

export type TrackNames = { name: string; configuration: string; location: string; country: string };

/** Names for a new track, and the sentence that says where they are from. */
export type SuggestedNames = TrackNames & {
  source: string;
  /** True where no name is known: the suggested one says only where the track is. */
  isUnnamed?: true;
};

/** The names of a known course without a start line, and where they are from. */
export type NamedCourse = Pick<Track, 'name' | 'configuration' | 'location' | 'country'> & {
  origin: Pick<TrackOrigin, 'title'>;
};

type KnownTrack = Pick<Track, 'name' | 'location' | 'country' | 'centerLat' | 'centerLon'>;
type KnownPlace = KnownTrack & { origin?: Pick<TrackOrigin, 'title' | 'attribution'> | null | undefined };
type Surroundings = {
  tracks: readonly KnownPlace[];
  /** The courses around, which have no start line. */
  courses: readonly NearbyCourse[];
  country: string | null;
  /** The course that was driven, where it is known. */
  course: NamedCourse | null;
};

/** The centres of two layouts of one venue are closer together. */
const SAME_VENUE_METERS = 2000;

/** Suggests names for a driven track: those of its course, of the venue or of the nearest known track or course, else its position. */
export function suggestNames(driven: DrivenTrack, surroundings: Surroundings): SuggestedNames {
  const { tracks, courses, country, course } = surroundings;
  const { centerLat, centerLon } = driven;
  const position = `${formatDegrees(centerLat, 'N', 'S')}, ${formatDegrees(centerLon, 'E', 'W')}`;
  const length = driven.lengthMeters === null ? '' : formatKilometers(driven.lengthMeters);
  const unnamed = { name: '', configuration: '', location: position, country: country ?? '' };
  const near = [...tracks, ...courses]
    .map((place: KnownPlace) => ({ place, meters: distanceMeters(positionOf(place), positionOf(driven)) }))
    .toSorted((one, other) => one.meters - other.meters);
  const located = near.find(({ place }) => place.location !== null);
  if (course !== null)
    return nameAfterCourse(course, { ...unnamed, location: located?.place.location ?? '' });
  const [nearest] = near;
  if (nearest !== undefined && nearest.meters <= SAME_VENUE_METERS) {
    const { place } = nearest;
    return {
      name: place.name,
      configuration: length,
      location: place.location ?? position,
      country: place.country ?? unnamed.country,
      source: `Names from ${describePlace(place)}, which is here. The layout is named after its length.`,
    };
  }
  return { ...nameByPlace(located, unnamed, length), isUnnamed: true };
}

/** Names a track after the nearest known place, else after its country: 'Track near Adria, 1.230 km'. */
function nameByPlace(
  located: { place: KnownPlace; meters: number } | undefined,
  unnamed: TrackNames,
  length: string,
): Omit<SuggestedNames, 'isUnnamed'> {
  const nameIt = (where: string) => [where, length].filter(Boolean).join(', ');
  const location = located?.place.location ?? null;
  if (located === undefined || location === null) {
    const name = nameIt(unnamed.country === '' ? 'Unnamed track' : `Track in ${unnamed.country}`);
    return { ...unnamed, name, source: 'The place is the position of your laps.' };
  }
  const { place, meters } = located;
  return {
    ...unnamed,
    name: nameIt(`Track near ${location}`),
    location,
    country: place.country ?? unnamed.country,
    source: `Place from ${describePlace(place)}, ${formatDistance(meters)} away.`,
  };
}

/** Takes the names of a course, and of `unnamed` what the course lacks. */
function nameAfterCourse(course: NamedCourse, unnamed: TrackNames): SuggestedNames {
  return {
    name: course.name,
    configuration: course.configuration ?? '',
    location: course.location ?? unnamed.location,
    country: course.country ?? unnamed.country,
    source: `Name from ${course.origin.title}.`,
  };
}

/** Names a known track, with the attribution of its set: 'Adria (Open Racetrack Database, © OpenStreetMap contributors)'. */
function describePlace({ name, origin }: KnownPlace): string {
  return origin ? `${name} (${origin.title}, ${origin.attribution})` : name;
}

function positionOf({ centerLat, centerLon }: Pick<DrivenTrack, 'centerLat' | 'centerLon'>) {
  return { lat: centerLat, lon: centerLon };
}

/** Formats degrees to about a hundred metres: 45.046° N. */
function formatDegrees(degrees: number, positive: string, negative: string): string {
  return `${Math.abs(degrees).toFixed(3)}° ${degrees < 0 ? negative : positive}`;
}
