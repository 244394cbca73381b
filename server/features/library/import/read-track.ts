import { describeDistantLine } from '#server/model/tracks/distant-line.ts';
import { type ParsedTrack, parsedTrackSchema } from '#contract/library/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import { REQUIRED_TRACK_NAMES, TRACK_RANGES } from '#contract/tracks/labels.ts';
import { cleanName } from '#contract/names.ts';
import { type Track, trackOriginSchema } from '#contract/tracks/schemas.ts';
import { buildCenterLine } from '#engine/center-line.ts';
import { distanceMeters, middle, type Position } from '#engine/geo.ts';
import { findOutlineCrossings } from '#engine/timing/line-parts.ts';
import { toLineFrame, type TimingLine } from '#engine/timing-line.ts';
import type { SectorLine } from '#engine/track.ts';
import {
  type Fields,
  readFields,
  newReport,
  parseNumber,
  pick,
  type Report,
  takeNumber,
  takeText,
} from '#server/model/cars/imported-fields.ts';
import { circleAround, lengthOfOutline, outlineFor } from '#server/model/tracks/track-outline.ts';
import { isGiven, readPosition, readTimingLine } from './read-timing-line.ts';
import { LINES, takeLines } from './track-lines.ts';

/**
 * Reads one entry of a track file, with the fields of our own tracks or those of other programs, checks every field, and
 * computes missing ones where it can. An unknown field is null, with the reason in `problems` or `warnings`. The names listed
 * in `required` must be present.
 */
export function readTrack(value: unknown, row: number, required = REQUIRED): ParsedTrack {
  const report = newReport();
  const fields = readFields(value);
  if (!fields) report.problems['track'] = 'This entry is no track.';
  const track = takeTrack(report, fields ?? new Map(), row);
  for (const name of required) if (track[name] === null) report.problems[name] ??= REQUIRED_TRACK_NAMES[name];
  // Every later reader would refuse a track that breaks the schema, so it is refused here.
  const checked = parsedTrackSchema.safeParse(track);
  if (checked.success) return checked.data;
  const empty = takeTrack(newReport(), new Map(), row);
  return { ...empty, problems: { track: 'This track cannot be read.' } };
}

export function isTrackLike(value: unknown): boolean {
  const fields = readFields(value);
  return fields !== null && TRACK_NAMES.some((name) => fields.has(name));
}

type RequiredName = keyof typeof REQUIRED_TRACK_NAMES;

const REQUIRED: readonly RequiredName[] = ['name', 'location', 'country'];

const NAMES = ['name', 'trackname', 'title'];
const LOCATIONS = ['location', 'city', 'region', 'cityregion', 'town'];
const CONFIGURATIONS = ['configuration', 'layout', 'config', 'layoutname'];
const COUNTRIES = ['country', 'countryname', 'countrycode'];
const RADII = ['radiusmeters', 'radiusm', 'detectionradius', 'geofenceradiusm', 'radius'];
const CENTER_LATS = ['centerlat', 'centrelat', 'centerlatdeg', 'lat', 'latitude'];
const CENTER_LONS = ['centerlon', 'centrelon', 'centerlng', 'centerlondeg', 'lon', 'lng', 'longitude'];
const CENTERS = ['center', 'centre', 'locationgps', 'gpslocation', 'location', 'reference'];
const SECTORS = ['sectors', 'sectorlines', 'sec', 'sectorpoints', 'splits'];
const OUTLINES = ['outline', 'trackmaparray', 'pts', 'gpsshape', 'centerline'];
const TRACK_NAMES = [...NAMES, ...CENTER_LATS, ...LINES, ...OUTLINES, 'startalat'];

/** Each of these fields gives a length; the number is its unit in metres. */
const LENGTHS: [name: string, unitMeters: number][] = [
  ['lengthmeters', 1],
  ['lengthm', 1],
  ['approxlengthm', 1],
  ['lengthkm', 1_000],
  ['lengthft', 0.3048],
];

// The lines and the pits of a track may lie outside its outline.
const RADIUS_SPARE_METERS = 300;
const RADIUS_UNKNOWN_METERS = 2_000;

function takeTrack(report: Report, fields: Fields, row: number): ParsedTrack {
  const points = takeOutline(report, pick(fields, OUTLINES));
  const { startLine, startFinishLine, finishLine } = takeLines(report, fields, points);
  const outline = outlineFor(report, points, { startFinishLine, finishLine });
  const circle = circleAround(points ?? []);
  const start = startFinishLine ? middle(startFinishLine.a, startFinishLine.b) : readPosition(startLine);
  const center = takeCenter(report, fields, circle?.center ?? start);
  const lengthMeters = takeLength(report, fields, outline);
  checkLine(report, startFinishLine, center);
  warnOfSecondCrossing(report, { startFinishLine, finishLine, outline });
  return {
    row,
    ...takeNames(report, fields),
    lengthMeters,
    status: readStatus(fields),
    radiusMeters: takeRadius(report, fields, circle?.radiusMeters ?? findHalf(lengthMeters)),
    centerLat: center?.lat ?? null,
    centerLon: center?.lon ?? null,
    startFinishLine,
    ...(finishLine && { finishLine }),
    sectors: takeSectors(report, pick(fields, SECTORS)),
    outline,
    ...takeOrigin(fields),
    ...report,
  };
}

/** Reads the published set of a track that another Pitboard exported: its attribution goes with it. */
function takeOrigin(fields: Fields): Pick<ParsedTrack, 'origin'> {
  const { data } = trackOriginSchema.safeParse(fields.get('origin'));
  if (!data) return {};
  const { set, title, sourceUrl, licence, attribution } = data;
  return {
    origin: {
      set: cleanName(set),
      title: cleanName(title),
      sourceUrl: cleanName(sourceUrl),
      licence: cleanName(licence),
      attribution: cleanName(attribution),
    },
  };
}

function takeNames(report: Report, fields: Fields) {
  const raw = pick(fields, LOCATIONS);
  return {
    name: takeText(report, 'name', pick(fields, NAMES)),
    // Some files use `location` for a position.
    location: takeText(report, 'location', readPosition(raw) ? undefined : raw),
    configuration: takeText(report, 'configuration', pick(fields, CONFIGURATIONS)),
    country: readCountry(takeText(report, 'country', pick(fields, COUNTRIES))),
  };
}

const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region' });

/** Finds the name of a country, which may be given by its two-letter code. */
function readCountry(raw: string | null): string | null {
  return raw !== null && /^[A-Z]{2}$/.test(raw) ? (COUNTRY_NAMES.of(raw) ?? raw) : raw;
}

function takeSectors(report: Report, raw: unknown): SectorLine[] {
  if (!isGiven(raw)) return [];
  if (!Array.isArray(raw)) {
    report.problems['sectors'] = 'This must be a list of lines.';
    return [];
  }
  if (raw.length > LIMITS.sectorsMax) {
    report.problems['sectors'] = `There may be at most ${LIMITS.sectorsMax} sectors.`;
    return [];
  }
  return raw.flatMap((given, index) => {
    const reading = readTimingLine(given);
    const name = takeText(newReport(), 'name', readFields(given)?.get('name')) ?? `S${index + 1}`;
    if ('line' in reading) return [{ name, ...reading.line }];
    report.warnings.push(`Sector ${index + 1} was left out. ${reading.why}`);
    return [];
  });
}

function takeCenter(report: Report, fields: Fields, otherwise: Position | null): Position | null {
  const center = toldCenter(report, fields) ?? otherwise;
  const { centerLat, centerLon } = report.problems;
  if (!center && !centerLat && !centerLon)
    report.problems['centerLat'] = 'The position of the track is missing.';
  if (center?.lat === 0 && center.lon === 0) report.problems['centerLat'] = 'There is only sea at 0, 0.';
  return center;
}

function toldCenter(report: Report, fields: Fields): Position | null {
  const geofence = readFields(fields.get('geofence')) ?? fields;
  const find = (names: readonly string[]) => pick(fields, names) ?? pick(geofence, names);
  const lat = takeNumber(report, 'centerLat', find(CENTER_LATS), TRACK_RANGES.centerLat);
  const lon = takeNumber(report, 'centerLon', find(CENTER_LONS), TRACK_RANGES.centerLon);
  return lat === null || lon === null ? firstPosition(fields) : { lat, lon };
}

function firstPosition(fields: Fields): Position | null {
  for (const name of CENTERS) {
    const found = readPosition(fields.get(name));
    if (found) return found;
  }
  return null;
}

function takeRadius(report: Report, fields: Fields, reachMeters: number): number | null {
  const raw = pick(fields, RADII) ?? readFields(fields.get('geofence'))?.get('radiusm');
  const radiusMeters = takeNumber(report, 'radiusMeters', raw, TRACK_RANGES.radiusMeters);
  if (radiusMeters !== null || report.problems['radiusMeters']) return radiusMeters;
  const workedOut =
    reachMeters > 0
      ? Math.min(Math.ceil(reachMeters + RADIUS_SPARE_METERS), TRACK_RANGES.radiusMeters.max)
      : RADIUS_UNKNOWN_METERS;
  report.warnings.push(`The detection radius is missing; ${workedOut} m is proposed.`);
  return workedOut;
}

function takeLength(report: Report, fields: Fields, outline: Track['outline']): number | null {
  for (const [name, unitMeters] of LENGTHS) {
    if (!fields.has(name)) continue;
    const raw = fields.get(name);
    const length = parseNumber(raw);
    const lengthMeters = length === null ? raw : Math.round(length * unitMeters * 10) / 10;
    return takeNumber(report, 'lengthMeters', lengthMeters, TRACK_RANGES.lengthMeters);
  }
  if (outline) {
    report.warnings.push('The length was measured along the outline.');
    return Math.round(lengthOfOutline(outline));
  }
  if (fields.has('length')) report.warnings.push('The length has no unit and was left out.');
  return null;
}

function checkLine(report: Report, line: TimingLine | null, center: Position | null): void {
  if (!line || !center) return;
  const distant = describeDistantLine(line, center);
  if (distant !== null) report.problems['startFinishLine'] = distant;
}

function readStatus(fields: Fields): Track['status'] {
  return fields.get('status') === 'community_submitted' ? 'community_submitted' : 'official';
}

/** Returns half the length: no point of a track is farther from its middle. */
function findHalf(lengthMeters: number | null): number {
  return (lengthMeters ?? 0) / 2;
}

/** Warns of a start/finish line that crosses the track twice: laps are counted where the outline begins. */
function warnOfSecondCrossing(
  report: Report,
  { startFinishLine, finishLine, outline }: Pick<Track, 'startFinishLine' | 'finishLine' | 'outline'>,
): void {
  const frame = startFinishLine && toLineFrame(startFinishLine);
  const [first] = outline ?? [];
  if (!frame || !first || finishLine) return;
  const centerLine = buildCenterLine({ outline, centerLat: first[0], centerLon: first[1] });
  if (centerLine && findOutlineCrossings(centerLine, frame).length > 1)
    report.warnings.push('The start/finish line also crosses another part of the track.');
}

/** Reads the outline of a file, point by point; null where it is absent or, with a problem in the report, invalid. */
function takeOutline(report: Report, value: unknown): Position[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value)) return refuse(report, 'This must be a list of points.');
  if (value.length > LIMITS.outlinePointsMax) {
    return refuse(report, `This may have at most ${LIMITS.outlinePointsMax} points.`);
  }
  const points: Position[] = [];
  for (const [index, given] of value.entries()) {
    const point = readPosition(given);
    if (!point) return refuse(report, `Point ${index + 1} is no position.`);
    points.push(point);
  }
  const first = points[0];
  if (!first) return null;
  const isOnePlace = points.every((point) => distanceMeters(first, point) < EXTENT_METERS_MAX);
  return isOnePlace ? points : refuse(report, 'Its points are too far apart for a track.');
}

function refuse(report: Report, sentence: string): null {
  report.problems['outline'] = sentence;
  return null;
}

// No circuit is larger; an outline that is has a wrong point.
const EXTENT_METERS_MAX = 50_000;
