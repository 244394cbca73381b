import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsedApexTrackSchema, parsedTrackSchema } from '#contract/library/schemas.ts';
import { AppError } from '#server/kernel/errors.ts';
import { toNewTrack } from '#server/model/tracks/library-track.ts';
import { parseApexFile } from './parse-apex-file.ts';
import { parseTrackFile } from './parse-track-file.ts';

/** Corners of a circuit some 600 m wide, clockwise. */
const CORNERS: [number, number][] = [
  [45.5949, -122.6945],
  [45.598, -122.6945],
  [45.598, -122.69],
  [45.5949, -122.69],
];

const NAMES = [
  'name',
  'location',
  'country',
  'city',
  'configuration',
  'lengthMeters',
  'radiusMeters',
  'status',
];
const PLACES = ['centerLat', 'center_lon', 'lat', 'lon', 'center', 'geofence', 'outline', 'pts', 'sectors'];
const LINES = [
  'startFinishLine',
  'sf',
  'start_a_lat',
  'a',
  'b',
  'bearing',
  'width',
  'finishLinePolygon',
  'overlay',
];
const OTHERS = [
  'traps',
  'type',
  'track',
  'tracks',
  'courses',
  'venue',
  'addTrackDb',
  '__proto__',
  'constructor',
];
const key = fc.constantFrom(...NAMES, ...PLACES, ...LINES, ...OTHERS);
const number = fc.oneof(fc.double(), fc.double({ min: -180, max: 180 }), fc.integer());
const leaf = fc.oneof(
  number,
  fc.string({ unit: 'binary' }),
  fc.constantFrom(null, true, '', 'NaN', '-1e400', '12.5'),
);
/** Any JSON that somebody might make of the words of track files. */
const hostile = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.array(tie('value'), { maxLength: 6 }),
    fc.array(fc.tuple(fc.double({ min: -90, max: 90 }), fc.double({ min: -180, max: 180 })), {
      maxLength: 8,
    }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 8 }).map((entries) => JSON.parse(toObject(entries))),
  ),
})).value;

function toObject(entries: [string, unknown][]): string {
  return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`;
}

test('whatever a file holds, it is tracks that fit the contract or a refusal in words', () => {
  fc.assert(
    fc.property(hostile, (value) => {
      const file: unknown = JSON.parse(JSON.stringify([value, { name: 'x' }]) ?? 'null');
      for (const track of parseTrackFile(file)) {
        expect(parsedTrackSchema.parse(track)).toEqual(track);
        // Rows without a problem can go into the library.
        if (Object.keys(track.problems).length === 0) expect(toNewTrack(track).name).toBe(track.name);
      }
      for (const track of parseApexFile(file)) expect(parsedApexTrackSchema.parse(track)).toEqual(track);
      expect(outcomeOf(() => parseTrackFile(value))).toBe('fine');
      expect(outcomeOf(() => parseApexFile(value))).toBe('fine');
    }),
    { numRuns: 1_000 },
  );
});

function outcomeOf(read: () => unknown): string {
  try {
    read();
    return 'fine';
  } catch (error) {
    return error instanceof AppError ? 'fine' : String(error);
  }
}

test('a track without problems that is read again stays the same', () => {
  const good = fc.record({
    name: fc.string({ unit: 'binary', minLength: 1 }),
    outline: fc.constant(CORNERS),
  });
  const names = { location: 'Town', country: 'DE' };
  fc.assert(
    fc.property(good, hostile, (row, value) => {
      const [track] = parseTrackFile([{ ...row, ...names, sf: value, traps: value }]);
      if (!track || Object.keys(track.problems).length > 0) return;
      const [again] = parseTrackFile([track]);
      expect({ ...again, warnings: [] }).toEqual({ ...track, warnings: [] });
    }),
    { numRuns: 500 },
  );
});
