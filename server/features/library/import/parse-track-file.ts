import type { ParsedTrack } from '#contract/library/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import { distanceMeters, middle, type Position } from '#engine/geo.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Fields, readFields, parseNumber, pick } from '#server/model/cars/imported-fields.ts';
import { directionAt, widthOfLine } from './line-across.ts';
import { isTrackLike, readTrack } from './read-track.ts';
import { readPosition } from './read-timing-line.ts';
import { isClosed, lengthOfOutline } from '#server/model/tracks/track-outline.ts';

/**
 * Reads the value of a track file: an array of tracks or an object with such an array, or a file of another program, of which
 * these are known:
 * - RaceCapture and Podium (venues; `addTrackDb` of the firmware): points without direction; the start becomes a line square to the outline
 * - zaggyai/track_data: positions in units of 1e-7 degrees; the line is made from its point and the direction of the outline
 * - LapsHub RacetrackDB: longitude before latitude, the finish line as a polygon
 * - Doves: venues by name, each with its courses
 * - BRL, ESP32-GPS-Lap-Timer and others whose fields differ from ours by name only
 * @throws AppError where there is no track in it, or too many
 */
export function parseTrackFile(value: unknown): ParsedTrack[] {
  const entries = atMostTracks(listEntries(value)).flatMap(unwrap);
  if (!atMostTracks(entries).some(isTrackLike)) throw new AppError('invalid_input', NO_TRACKS);
  return entries.map((entry, index) => readTrack(entry, index + 1));
}

/** The specification prescribes this sentence. */
export const NO_TRACKS = 'No valid tracks found in file';

/** @throws AppError for more than the library can hold */
export function atMostTracks(entries: unknown[]): unknown[] {
  if (entries.length <= LIMITS.tracksMax) return entries;
  throw new AppError('too_large', `A file may have at most ${LIMITS.tracksMax} tracks.`);
}

const LISTS = ['tracks', 'venues', 'racetracks'];

/** Finds the array that a file is or contains; null where there is none. */
export function findList(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value;
  const list = pick(readFields(value) ?? new Map(), LISTS);
  return Array.isArray(list) ? list : null;
}

/** Only the files of other programs with a single track have one of these fields at the top level. */
const ONE_TRACK = ['startfinish', 'sf', 'pts', 'trackmaparray', 'finishlinepolygon', 'addtrackdb', 'venue'];

function listEntries(value: unknown): unknown[] {
  const list = findList(value);
  if (list) return list;
  const fields = readFields(value);
  if (!fields) return [];
  if (ONE_TRACK.some((name) => fields.has(name))) return [value];
  // Doves has an object of venues by name.
  return Object.entries(value ?? {}).flatMap(([name, venue]) =>
    Array.isArray(readFields(venue)?.get('courses')) ? [{ name, ...venue }] : [],
  );
}

/** Converts one entry to tracks with the field names that `readTrack` knows. */
function unwrap(entry: unknown): unknown[] {
  const fields = readFields(entry);
  if (!fields) return [entry];
  const inner = readFields(fields.get('addtrackdb'))?.get('track') ?? fields.get('venue');
  if (inner !== undefined) return [inner];
  const courses = fields.get('courses');
  if (Array.isArray(courses)) return courses.map((course: unknown) => readCourse(fields, course));
  if (fields.has('pts')) return [inDegrees(fields)];
  if (fields.has('overlay') || fields.has('finishlinepolygon')) return [fromLapsHub(fields)];
  return [entry];
}

function readCourse(venue: Fields, course: unknown): unknown {
  const fields = readFields(course);
  if (!fields) return course;
  const legacySectors = ['sector2', 'sector3'].flatMap((sector) => {
    const ends = ['alat', 'alng', 'blat', 'blng'].map((end) => [end, fields.get(sector + end)]);
    return ends.some(([, value]) => value === undefined) ? [] : [Object.fromEntries(ends)];
  });
  return {
    sectors: legacySectors,
    ...Object.fromEntries(fields),
    name: venue.get('name'),
    configuration: fields.get('name'),
  };
}

const UNITS_PER_DEGREE = 10_000_000;

/** Lists points in driving order from where laps begin; a path that does not return ends at its last point. */
function inDegrees(fields: Fields): unknown {
  const given = fields.get('pts');
  const points = Array.isArray(given) ? given.map(scaled) : given;
  const start = scaled(fields.get('startfinish'));
  const positions = Array.isArray(points) ? points.flatMap((point) => readPosition(point) ?? []) : [];
  const [last, startAt] = [positions.at(-1), readPosition(start)];
  const madeLine = startAt && lineAcross(positions, startAt);
  const isStage = last !== undefined && !isClosed(positions);
  return {
    // Layouts with the same name differ in their short name.
    configuration: fields.get('shortname'),
    ...Object.fromEntries(fields),
    startfinish: madeLine ?? start,
    ...(isStage && madeLine && { finish: lineAcross(positions, last) ?? undefined }),
    pts: points,
  };
}

/** Builds a line perpendicular to the path at one of its points; null where the point is not on the path. */
function lineAcross(points: readonly Position[], point: Position): object | null {
  const bearing = directionAt(points, point);
  if (bearing === null) return null;
  const meters = lengthOfOutline(points.map(({ lat, lon }) => [lat, lon]));
  return { ...point, bearing, width: widthOfLine(meters), madefrompoint: true };
}

function scaled(point: unknown): unknown {
  const fields = readFields(point);
  if (!fields) return point;
  const [lat, lon] = ['lat', 'lon'].map((name) => parseNumber(fields.get(name)));
  // Numbers with a decimal point are degrees already.
  if (!Number.isInteger(lat) || !Number.isInteger(lon)) return point;
  return { lat: (lat ?? Number.NaN) / UNITS_PER_DEGREE, lon: (lon ?? Number.NaN) / UNITS_PER_DEGREE };
}

function fromLapsHub(fields: Fields): unknown {
  const shape = readFields(fields.get('overlay'))?.get('gpsshape');
  return {
    ...Object.fromEntries(fields),
    startfinish: lineThrough(fields.get('finishlinepolygon')),
    outline: Array.isArray(shape) ? shape.map(latitudeFirst) : fields.get('gpsshape'),
  };
}

function latitudeFirst(point: unknown): unknown {
  if (!Array.isArray(point)) return point;
  const [lon, lat]: unknown[] = point;
  return [lat, lon];
}

// A polygon that is nearer to a square does not show the direction of the line.
const SIDES_RATIO_MIN = 1.3;

/** Builds the line along the middle of a long rectangle, between the midpoints of its two shorter sides. */
function lineThrough(polygon: unknown): unknown {
  if (!Array.isArray(polygon) || polygon.length !== 4) return undefined;
  const [p1, p2, p3, p4] = polygon.map(readPosition);
  if (!p1 || !p2 || !p3 || !p4) return undefined;
  const ratio = distanceMeters(p1, p2) / distanceMeters(p2, p3);
  if (ratio > SIDES_RATIO_MIN) return { a: middle(p2, p3), b: middle(p4, p1) };
  return ratio < 1 / SIDES_RATIO_MIN ? { a: middle(p1, p2), b: middle(p3, p4) } : undefined;
}
