import {
  bearingVector,
  distanceMeters,
  isOnEarth,
  planeAround,
  type Position,
  toPosition,
} from '#engine/geo.ts';
import type { TimingLine } from '#engine/timing-line.ts';
import { type Fields, readFields, parseNumber, pick } from '#server/model/cars/imported-fields.ts';
import { parseJson } from '#server/kernel/parse-json.ts';

/** A timing line, or a sentence with the reason why there is none. */
export type LineReading = { line: TimingLine } | { why: string };

// A drag strip with its run-off is narrower; longer lines come from swapped or mistyped numbers.
const WIDTH_METERS_MAX = 500;
const POINT_TEXT_CHARACTERS_MAX = 1_000;

/**
 * Reads a timing line in any of the forms that track files use: two ends (`a` and `b`, four numbers, or fields such as `lat1
 * lon1 lat2 lon2`), or a point with bearing and width. A point alone is no line.
 */
export function readTimingLine(value: unknown): LineReading {
  const ends = Array.isArray(value) ? endsOfArray(value) : null;
  if (ends) return lineBetween(ends, null);
  const fields = readFields(value);
  if (!fields) return readPosition(value) ? JUST_A_POINT : NOTHING_KNOWN;
  const raw = pick(fields, BEARING_NAMES);
  const bearingDeg = raw === undefined ? null : normalBearing(parseNumber(raw));
  if (bearingDeg === undefined) return { why: 'Its bearing is not a number of degrees.' };
  const readEnds = endsOfFields(fields);
  if (readEnds) return lineBetween(readEnds, bearingDeg);
  const point = readPosition(value);
  if (!point) return NOTHING_KNOWN;
  const widthMeters = parseNumber(pick(fields, WIDTH_NAMES));
  if (bearingDeg === null || widthMeters === null || widthMeters <= 0) return JUST_A_POINT;
  return lineBetween(endsAround(point, bearingDeg, Math.min(widthMeters, 2 * WIDTH_METERS_MAX)), bearingDeg);
}

/** Reads a position from an object or a pair of numbers, latitude first, or from text, which RaceCapture writes. */
export function readPosition(value: unknown): Position | null {
  if (typeof value === 'string' && value.length <= POINT_TEXT_CHARACTERS_MAX) {
    const parsed = parseJson(value);
    return typeof parsed === 'object' ? readPosition(parsed) : null;
  }
  if (Array.isArray(value))
    return value.length === 2 || value.length === 3 ? position(value[0], value[1]) : null;
  const fields = readFields(value);
  return fields && position(pick(fields, LAT_NAMES), pick(fields, LON_NAMES));
}

/** Returns two numbers as a position; null where they are not a position on Earth. */
function position(latitude: unknown, longitude: unknown): Position | null {
  const lat = parseNumber(latitude);
  const lon = parseNumber(longitude);
  if (lat === null || lon === null || !isOnEarth(lat, lon)) return null;
  return { lat, lon };
}

/** Tests if the file has a value that may be meant as a line, even a malformed one. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

const JUST_A_POINT: LineReading = {
  why: 'It is a point. A line needs two ends, or a point with bearing and width.',
};
const NOTHING_KNOWN: LineReading = { why: 'It has neither two ends nor a point with bearing and width.' };

const LAT_NAMES = ['lat', 'latitude', 'latdeg'];
const LON_NAMES = ['lon', 'lng', 'long', 'longitude', 'londeg', 'lngdeg'];
const BEARING_NAMES = ['bearingdeg', 'bearing', 'headingdeg', 'heading', 'directionheadingdeg', 'direction'];
const WIDTH_NAMES = ['widthm', 'widthmeters', 'width', 'gatewidth'];

type Ends = [Position, Position];

/** Files with a field for each end use one of these pairs of names. */
const END_NAMES = [
  ['a', 'b'],
  ['p1', 'p2'],
  ['point1', 'point2'],
  ['start', 'end'],
  ['left', 'right'],
] as const;

/** Files without fields for the ends use one of these sets of names for the four numbers. */
const NUMBER_NAMES = [
  ['lat1', 'lon1', 'lat2', 'lon2'],
  ['lat1', 'lng1', 'lat2', 'lng2'],
  ['lat', 'lon', 'lat2', 'lon2'],
  ['alat', 'alon', 'blat', 'blon'],
  ['alat', 'alng', 'blat', 'blng'],
  ['startalat', 'startalng', 'startblat', 'startblng'],
] as const;

function endsOfFields(fields: Fields): Ends | null {
  for (const [first, second] of END_NAMES) {
    const ends = pair(readPosition(fields.get(first)), readPosition(fields.get(second)));
    if (ends) return ends;
  }
  for (const [lat1, lon1, lat2, lon2] of NUMBER_NAMES) {
    const ends = pair(
      position(fields.get(lat1), fields.get(lon1)),
      position(fields.get(lat2), fields.get(lon2)),
    );
    if (ends) return ends;
  }
  return null;
}

function endsOfArray(value: unknown[]): Ends | null {
  const [first, second, third, fourth] = value;
  if (value.length === 4) return pair(position(first, second), position(third, fourth));
  return value.length === 2 ? pair(readPosition(first), readPosition(second)) : null;
}

function pair(a: Position | null, b: Position | null): Ends | null {
  return a && b && [a, b];
}

/** Computes the left and the right end, seen by a driver who passes the point along the bearing; null next to a pole. */
function endsAround(point: Position, bearingDeg: number, widthMeters: number): Ends | null {
  const plane = planeAround(point);
  const right = bearingVector(bearingDeg + 90);
  const [a, b] = [-widthMeters / 2, widthMeters / 2].map((meters) =>
    toPosition(plane, { x: right.x * meters, y: right.y * meters }),
  );
  return pair(position(a?.lat, a?.lon), position(b?.lat, b?.lon));
}

function lineBetween(ends: Ends | null, bearingDeg: number | null): LineReading {
  if (!ends) return NOTHING_KNOWN;
  const [a, b] = ends;
  const widthMeters = distanceMeters(a, b);
  if (!(widthMeters > 0)) return { why: 'Its two ends are the same point.' };
  if (widthMeters > WIDTH_METERS_MAX) {
    return { why: `Its ends are more than ${WIDTH_METERS_MAX} m apart.` };
  }
  return { line: { a, b, bearingDeg } };
}

/** Normalizes a bearing to 0 to 360 degrees; undefined for null. */
function normalBearing(degrees: number | null): number | undefined {
  if (degrees === null || Math.abs(degrees) > 360) return undefined;
  const positive = degrees < 0 ? degrees + 360 : degrees;
  return positive === 360 ? 0 : positive;
}
