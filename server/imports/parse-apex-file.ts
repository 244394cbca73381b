import type { ApexTrap, ParsedApexTrack } from '#contract/admin.ts';
import { parsedApexTrackSchema } from '#contract/admin.ts';
import { LIMITS } from '#contract/limits.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Fields, fieldsOf, newReport, type Report, takeText } from '../kernel/imported-fields.ts';
import { atMostTracks, listOf, NO_TRACKS } from './parse-track-file.ts';
import { readTrack } from './read-track.ts';
import { isTold, positionOf, timingLineOf } from './timing-line.ts';

/** The type of a trap at which laps begin and end. */
const START_FINISH = 'start_finish';
const FINISH = 'finish';
/** The type of a trap at which a sector ends. */
export const SECTOR = 'sector';

/**
 * Reads the value of an apex file: an array of tracks or `{ tracks }`, each track with its `traps` or `{ track, traps }`.
 * @throws AppError where there is no track in it, or too many
 */
export function parseApexFile(value: unknown): ParsedApexTrack[] {
  const entries = atMostTracks(listOf(value) ?? []);
  if (!entries.some(isApexTrackLike)) throw new AppError('invalid_input', NO_TRACKS);
  return entries.map((entry, index) => readApexTrack(entry, index + 1));
}

/**
 * Reads one track with its traps and checks every field. A trap is two ends, or a point with bearing and width; what is neither
 * is left out with a warning. A track with other than exactly one start/finish trap has a warning too: it cannot be migrated.
 */
export function readApexTrack(value: unknown, row: number): ParsedApexTrack {
  const outer = fieldsOf(value);
  const told = fieldsOf(outer?.get('track')) ?? outer;
  const report = newReport();
  if (!told) report.problems['track'] = 'This entry is no track.';
  const toldTraps = outer?.get('traps') ?? told?.get('traps');
  const traps = takeTraps(report, toldTraps);
  const track = takeApexTrack(report, told ?? new Map(), placeOf(traps, toldTraps));
  const startFinishCount = traps.filter(isStartFinish).length;
  if (startFinishCount !== 1) {
    report.warnings.push(
      `Exactly one start/finish trap is needed; this track has ${startFinishCount || 'none'}.`,
    );
  }
  return parsedApexTrackSchema.parse({ row, track, traps, ...report });
}

export function isStartFinish({ type }: Pick<ApexTrap, 'type'>): boolean {
  return type === START_FINISH;
}

/** Where runs end on a way that does not lead back to its start. */
export function isFinish({ type }: Pick<ApexTrap, 'type'>): boolean {
  return type === FINISH;
}

function isApexTrackLike(value: unknown): boolean {
  const fields = fieldsOf(value);
  const told = fieldsOf(fields?.get('track')) ?? fields;
  return told !== null && (told.has('name') || Array.isArray(fields?.get('traps')));
}

/** The fields are those of any other track; only some names differ, and city and country may be missing. */
function takeApexTrack(report: Report, told: Fields, startfinishline: unknown): ParsedApexTrack['track'] {
  const known = { ...Object.fromEntries(told), startfinishline, sectors: [], outline: null };
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

/** A line or a point that tells where the track is, should nothing else tell it. */
function placeOf(traps: readonly ApexTrap[], told: unknown): unknown {
  const trap = traps.find(isStartFinish) ?? traps[0];
  if (trap) return { a: trap.a, b: trap.b, bearingDeg: trap.bearingDeg };
  return Array.isArray(told) ? told.map(positionOf).find((position) => position !== null) : undefined;
}

const APEX_NAMES: Record<string, string> = {
  location: 'city',
  radiusMeters: 'geofenceRadiusM',
  startFinishLine: 'traps',
};

const TRAPS_MAX = LIMITS.sectorsMax + 2;

function takeTraps(report: Report, told: unknown): ApexTrap[] {
  if (!isTold(told)) return [];
  if (!Array.isArray(told)) {
    report.problems['traps'] = 'This must be a list of traps.';
    return [];
  }
  if (told.length > TRAPS_MAX) {
    report.problems['traps'] = `There may be at most ${TRAPS_MAX} traps.`;
    return [];
  }
  return told.flatMap((given, index) => {
    const fields = fieldsOf(given);
    const type = typeOf(fields?.get('type'));
    const reading = timingLineOf(given);
    if (type !== null && 'line' in reading) {
      return [{ type, name: takeText(newReport(), 'name', fields?.get('name')), ...reading.line }];
    }
    const why = 'why' in reading ? reading.why : 'It has no type.';
    report.warnings.push(`Trap ${index + 1} was left out. ${why}`);
    return [];
  });
}

const TYPE_CHARACTERS_MAX = 40;

/** `startFinish`, `Start/Finish` and `START_FINISH` are all `start_finish`; a split is where a sector ends. */
function typeOf(told: unknown): string | null {
  if (typeof told !== 'string' || told.length > TYPE_CHARACTERS_MAX) return null;
  const type = told
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  if (type === '') return null;
  if (type === 'startfinish') return START_FINISH;
  return type === 'split' ? SECTOR : type;
}
