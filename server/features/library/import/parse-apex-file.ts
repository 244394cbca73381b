import { type ApexTrap, type ParsedApexTrack, parsedApexTrackSchema } from '#contract/library/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  type Fields,
  readFields,
  newReport,
  type Report,
  takeText,
} from '#server/model/cars/imported-fields.ts';
import { isStartFinish, SECTOR, START_FINISH } from '#server/model/tracks/staged-track.ts';
import { atMostTracks, findList, NO_TRACKS } from './parse-track-file.ts';
import { readTrack } from './read-track.ts';
import { isGiven, readPosition, readTimingLine } from './read-timing-line.ts';

/** Reads an array of tracks or `{ tracks }`, each with `traps` or `{ track, traps }`. @throws AppError */
export function parseApexFile(value: unknown): ParsedApexTrack[] {
  const entries = atMostTracks(findList(value) ?? []);
  if (!entries.some(isApexTrackLike)) throw new AppError('invalid_input', NO_TRACKS);
  return entries.map((entry, index) => readApexTrack(entry, index + 1));
}

/**
 * Reads one track with its traps and checks every field. A trap is two ends, or a point with bearing and width; anything else
 * is left out with a warning. A track without exactly one start/finish trap has a warning too: it cannot be migrated.
 */
export function readApexTrack(value: unknown, row: number): ParsedApexTrack {
  const outer = readFields(value);
  const raw = readFields(outer?.get('track')) ?? outer;
  const report = newReport();
  if (!raw) report.problems['track'] = 'This entry is no track.';
  const rawTraps = outer?.get('traps') ?? raw?.get('traps');
  const traps = takeTraps(report, rawTraps);
  const track = takeApexTrack(report, raw ?? new Map(), findPlace(traps, rawTraps));
  const startFinishCount = traps.filter(isStartFinish).length;
  if (startFinishCount !== 1) {
    report.warnings.push(
      `Exactly one start/finish trap is needed; this track has ${startFinishCount || 'none'}.`,
    );
  }
  return parsedApexTrackSchema.parse({ row, track, traps, ...report });
}

function isApexTrackLike(value: unknown): boolean {
  const fields = readFields(value);
  const raw = readFields(fields?.get('track')) ?? fields;
  return raw !== null && (raw.has('name') || Array.isArray(fields?.get('traps')));
}

/** Reads the fields, which are those of any other track; only some names differ, and city and country may be missing. */
function takeApexTrack(report: Report, raw: Fields, startfinishline: unknown): ParsedApexTrack['track'] {
  const known = { ...Object.fromEntries(raw), startfinishline, sectors: [], outline: null };
  const { problems, ...track } = readTrack(known, 1, ['name']);
  for (const [field, problem] of Object.entries(problems))
    report.problems[APEX_NAMES[field] ?? field] ??= problem;
  const { name, configuration, country, lengthMeters, centerLat, centerLon } = track;
  return {
    name,
    configuration,
    city: track.location,
    country,
    geofenceRadiusM: track.radiusMeters,
    lengthMeters,
    centerLat,
    centerLon,
  };
}

/** Finds a line or a point that shows where the track is, for a file without a centre. */
function findPlace(traps: readonly ApexTrap[], raw: unknown): unknown {
  const trap = traps.find(isStartFinish) ?? traps[0];
  if (trap) return { a: trap.a, b: trap.b, bearingDeg: trap.bearingDeg };
  return Array.isArray(raw) ? raw.map(readPosition).find((position) => position !== null) : undefined;
}

const APEX_NAMES: Record<string, string> = {
  location: 'city',
  radiusMeters: 'geofenceRadiusM',
  startFinishLine: 'traps',
};

const TRAPS_MAX = LIMITS.sectorsMax + 2;

function takeTraps(report: Report, raw: unknown): ApexTrap[] {
  if (!isGiven(raw)) return [];
  if (!Array.isArray(raw)) {
    report.problems['traps'] = 'This must be a list of traps.';
    return [];
  }
  if (raw.length > TRAPS_MAX) {
    report.problems['traps'] = `There may be at most ${TRAPS_MAX} traps.`;
    return [];
  }
  return raw.flatMap((given, index) => {
    const fields = readFields(given);
    const type = readType(fields?.get('type'));
    const reading = readTimingLine(given);
    if (type !== null && 'line' in reading) {
      return [{ type, name: takeText(newReport(), 'name', fields?.get('name')), ...reading.line }];
    }
    const why = 'why' in reading ? reading.why : 'It has no type.';
    report.warnings.push(`Trap ${index + 1} was left out. ${why}`);
    return [];
  });
}

const TYPE_CHARACTERS_MAX = 40;

/** Normalizes a type: `startFinish` and `Start/Finish` are `start_finish`; a split is the end of a sector. */
function readType(raw: unknown): string | null {
  if (typeof raw !== 'string' || raw.length > TYPE_CHARACTERS_MAX) return null;
  const type = raw
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  if (type === '') return null;
  if (type === 'startfinish') return START_FINISH;
  return type === 'split' ? SECTOR : type;
}
