import { distanceMeters, isOnEarth, type Position } from '#engine/geo.ts';
import { type Fields, parseNumber, pick, readFields } from '#server/model/cars/imported-fields.ts';
import { directionAt, widthOfLine } from './line-across.ts';
import { lengthOfOutline } from '#server/model/tracks/track-outline.ts';

// GeoJSON (RFC 7946) has longitude before latitude. A line or the outer ring of an area is a course; a point is a line of the
// course that it lies on, by its kind or its name. The layouts of the open track database of apex-racechrono-studio are such
// files, too.

/** A file has these names for all its tracks, such as the venue of a layout. */
export type TrackNames = { name?: unknown; configuration?: unknown; location?: unknown; country?: unknown };

export function isGeoJson(value: unknown): boolean {
  const type = readFields(value)?.get('type');
  return type === 'FeatureCollection' || type === 'Feature';
}

/** Lists the courses of a GeoJSON file as entries for `readTrack`. */
export function readGeoJson(value: unknown, names: TrackNames = {}): unknown[] {
  const features = listFeatures(value);
  const courses = features.flatMap((feature) => readCourses(feature));
  const marks = features.flatMap((feature) => readMark(feature) ?? []);
  return courses.map((course, index) =>
    toEntry(course, {
      // A mark belongs to the first course that it lies on.
      marks: marks.filter(
        (mark) => courses.findIndex(({ points }) => liesOn(points, mark.position)) === index,
      ),
      names,
    }),
  );
}

type Course = { points: Position[]; fields: Fields };
type Mark = { kind: 'start' | 'finish' | 'sector'; position: Position; fields: Fields };

function listFeatures(value: unknown): Fields[] {
  const fields = readFields(value);
  const list = fields?.get('type') === 'Feature' ? [value] : fields?.get('features');
  return Array.isArray(list) ? list.flatMap((feature: unknown) => readFields(feature) ?? []) : [];
}

// GeoJSON lines of these kinds are not courses.
const OTHER_PATHS = /pit|access|service|runoff|run-off/i;

function readCourses(feature: Fields): Course[] {
  const geometry = readFields(feature.get('geometry'));
  const fields = readFields(feature.get('properties')) ?? new Map<string, unknown>();
  if (OTHER_PATHS.test(readKind(fields))) return [];
  return listPaths(geometry).map((way) => ({ points: readPositions(way), fields }));
}

function listPaths(geometry: Fields | null): unknown[] {
  const coordinates = geometry?.get('coordinates');
  if (!Array.isArray(coordinates)) return [];
  switch (geometry?.get('type')) {
    case 'LineString':
      return [coordinates];
    case 'MultiLineString':
      return coordinates;
    case 'Polygon':
      return coordinates.slice(0, 1);
    default:
      return [];
  }
}

function readPositions(way: unknown): Position[] {
  return Array.isArray(way) ? way.flatMap((point: unknown) => readPoint(point) ?? []) : [];
}

function readPoint(point: unknown): Position | null {
  if (!Array.isArray(point)) return null;
  const [lon, lat] = [parseNumber(point[0]), parseNumber(point[1])];
  if (lat === null || lon === null || !isOnEarth(lat, lon)) return null;
  return { lat, lon };
}

function readKind(fields: Fields): string {
  const kind = pick(fields, ['kind', 'role', 'feature', 'name']);
  return typeof kind === 'string' ? kind.toLowerCase().replaceAll(/[_/-]+/g, ' ') : '';
}

function readMark(feature: Fields): Mark | null {
  const geometry = readFields(feature.get('geometry'));
  const position = geometry?.get('type') === 'Point' ? readPoint(geometry.get('coordinates')) : null;
  if (!position) return null;
  const fields = readFields(feature.get('properties')) ?? new Map<string, unknown>();
  const kind = readKind(fields);
  if (/\bstart\b|^s ?f$/.test(kind)) return { kind: 'start', position, fields };
  if (/\bfinish\b|\bend\b/.test(kind)) return { kind: 'finish', position, fields };
  return /\bsector\b|\bsplit\b/.test(kind) ? { kind: 'sector', position, fields } : null;
}

// A mark is drawn on the track or next to it.
const ON_COURSE_METERS = 60;

function liesOn(points: readonly Position[], position: Position): boolean {
  return points.some((point) => distanceMeters(point, position) <= ON_COURSE_METERS);
}

function toEntry(
  { points, fields }: Course,
  { marks, names }: { marks: Mark[]; names: TrackNames },
): unknown {
  const own = pick(fields, ['name', 'title', 'track', 'trackname']);
  const line = (mark: Mark | undefined) => mark && buildLine(mark, points);
  const start = marks.find(({ kind }) => kind === 'start');
  const finish = marks.find(({ kind }) => kind === 'finish');
  return {
    name: names.name ?? own,
    configuration: names.configuration ?? pick(fields, ['configuration', 'layout', 'variant']),
    location: names.location ?? pick(fields, ['location', 'city', 'region']),
    country: names.country ?? pick(fields, ['country', 'countrycode']),
    outline: points.map(({ lat, lon }) => [lat, lon]),
    startfinish: line(start),
    finish: start && line(finish),
    sectors: marks.filter(({ kind }) => kind === 'sector').map((mark) => buildLine(mark, points)),
  };
}

/** Builds a line through a point, perpendicular to the given bearing or else to the course. */
function buildLine({ position, fields }: Mark, points: readonly Position[]): unknown {
  const bearing = parseNumber(pick(fields, ['bearingdeg', 'bearing', 'headingdeg', 'heading']));
  const width = parseNumber(pick(fields, ['widthm', 'width', 'widthmeters']));
  const meters = lengthOfOutline(points.map(({ lat, lon }) => [lat, lon]));
  return {
    ...position,
    name: fields.get('name'),
    bearing: bearing ?? directionAt(points, position),
    width: width ?? widthOfLine(meters),
    ...(bearing === null && { madefrompoint: true }),
  };
}
