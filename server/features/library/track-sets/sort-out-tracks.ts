import type { ParsedTrack } from '#contract/library/schemas.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import {
  buildCourseShape,
  type Course,
  type CourseShape,
  isSameCourse,
} from '#engine/matching/same-course.ts';
import { isNear, openNeighbours, type Place } from './neighbours.ts';

export type SetTrack = { file: string; track: ParsedTrack };

/** A track without a problem, which can be added. */
export type SoundTrack = ParsedTrack & { name: string; centerLat: number; centerLon: number };

export type SortedSet = {
  tracks: SoundTrack[];
  /** Counts the tracks that are in the library already, or in the set more than once. */
  known: number;
  duplicates: number;
  leftOut: { file: string; reason: string }[];
};

export type KnownTrack = Course & Pick<Track, 'name' | 'configuration'>;

// Fewer points, such as the two ends of a drag strip, do not define a course.
const POINTS_MIN = 10;
const LENGTH_METERS_MIN = 150;

/**
 * Selects the tracks of a set that `library` lacks. Of several tracks on the same course, driven in the same direction, the one
 * with the most points stays, and a newer version rather than an old one.
 */
export function sortOutTracks(set: readonly SetTrack[], library: readonly KnownTrack[]): SortedSet {
  const leftOut: SortedSet['leftOut'] = [];
  const sound: SoundTrack[] = [];
  for (const { file, track } of set) {
    const checked = checkTrack(track);
    if (typeof checked === 'string') leftOut.push({ file, reason: checked });
    else sound.push(checked);
  }
  const near = openNeighbours<{ shape: CourseShape; isLibrary: boolean }>();
  for (const track of library) {
    const shape = buildCourseShape(track);
    if (shape) near.add(track, { shape, isLibrary: true });
  }
  const counts = { known: 0, duplicates: 0 };
  const tracks = sound.toSorted(byPreference).filter((track) => {
    const shape = buildCourseShape(track);
    if (!shape) return false;
    const twin = near.find(track, (other) => isSameCourse(shape, other.shape));
    if (twin) counts[twin.isLibrary ? 'known' : 'duplicates'] += 1;
    else near.add(track, { shape, isLibrary: false });
    return twin === undefined;
  });
  return { tracks: giveNames(tracks, library), leftOut, ...counts };
}

function checkTrack(track: ParsedTrack): SoundTrack | string {
  const checked = checkCourse(track);
  return typeof checked === 'string' || checked.startFinishLine !== null
    ? checked
    : 'It has no start/finish line.';
}

/** Returns a track that may lack its line; the reason where it is none. */
export function checkCourse<Parsed extends ParsedTrack>(
  track: Parsed,
): (Parsed & Pick<SoundTrack, 'name' | 'centerLat' | 'centerLon'>) | string {
  const { name, centerLat, centerLon, outline, lengthMeters, problems } = track;
  const [[field, problem] = []] = Object.entries(problems);
  if (field !== undefined) return `${field}: ${problem}`;
  if (name === null || centerLat === null || centerLon === null) return 'It has no name or no position.';
  if (outline === null) return 'It has no outline that leads back to its start, or to a finish.';
  if (outline.length < POINTS_MIN || (lengthMeters ?? 0) < LENGTH_METERS_MIN)
    return 'It is a fragment: too few points, or too short.';
  return { ...track, name, centerLat, centerLon };
}

const OLDER = /\bold\b|\bpre\b|\b(?:19|20)\d\d\b/i;

export function byPreference(one: SoundTrack, other: SoundTrack): number {
  const age = ({ configuration, name }: SoundTrack) => Number(OLDER.test(`${name} ${configuration ?? ''}`));
  const points = ({ outline }: SoundTrack) => outline?.length ?? 0;
  const title = ({ name, configuration }: SoundTrack) => `${name}\n${configuration ?? ''}`;
  return age(one) - age(other) || points(other) - points(one) || (title(one) < title(other) ? -1 : 1);
}

/** Gives each layout a unique name where its venue has several. */
export function giveNames<Named extends SoundTrack>(
  tracks: readonly Named[],
  library: readonly KnownTrack[],
): Named[] {
  const venues = new Map<string, (Place & { configuration: string | null })[]>();
  const listVenue = (track: Place & { name: string }) =>
    (venues.get(track.name.toLowerCase()) ?? []).filter((other) => isNear(track, other));
  const note = (track: Place & { name: string; configuration: string | null }) => {
    const key = track.name.toLowerCase();
    venues.set(key, [...(venues.get(key) ?? []), track]);
  };
  library.forEach(note);
  const layouts = new Map(tracks.map((track) => [track, 0]));
  tracks.forEach(note);
  for (const track of tracks) layouts.set(track, listVenue(track).length);
  venues.clear();
  library.forEach(note);
  return tracks.map((track) => {
    const configuration = layouts.get(track) === 1 ? null : track.configuration;
    const named = { ...track, configuration: unlike(track, configuration, listVenue(track)) };
    note(named);
    return named;
  });
}

/** Returns a unique configuration for the venue: with the length added, and a number for equal lengths. */
function unlike(
  { lengthMeters }: SoundTrack,
  configuration: string | null,
  venue: readonly { configuration: string | null }[],
): string | null {
  const taken = new Set(venue.map((other) => other.configuration?.toLowerCase() ?? null));
  if (!taken.has(configuration?.toLowerCase() ?? null)) return configuration;
  const length = `${((lengthMeters ?? 0) / 1000).toFixed(2)} km`;
  const withLength = configuration === null ? length : `${configuration}, ${length}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? withLength : `${withLength} (${number})`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}
