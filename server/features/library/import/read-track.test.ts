import { expect, test } from 'vitest';
import { bearingDegrees, distanceMeters } from '#engine/geo.ts';
import { readTrack } from './read-track.ts';

/** Corners of a circuit some 600 m wide, clockwise. */
const CORNERS: [number, number][] = [
  [45.5949, -122.6945],
  [45.598, -122.6945],
  [45.598, -122.69],
  [45.5949, -122.69],
];

test('a point with bearing and width becomes a line across the path, its left end first', () => {
  const startFinishLine = { lat: 45.6, lon: -122.69, bearing: 30, width: 24 };
  const line = readTrack({ name: 'x', startFinishLine }, 1).startFinishLine;
  if (!line) throw new Error('There is no line.');
  expect(line.bearingDeg).toBe(30);
  expect(distanceMeters(line.a, line.b)).toBeCloseTo(24, 6);
  expect(bearingDegrees(line.a, line.b)).toBeCloseTo(120, 6);
});

test('the published set that an exported track comes from stays with it, unless it is incomplete', () => {
  const origin = {
    set: 'open-racetrack-db',
    title: 'Open Racetrack Database',
    sourceUrl: 'https://sets.example/racetracks',
    licence: 'ODbL 1.0',
    attribution: '© OpenStreetMap contributors',
  };
  expect(readTrack({ name: 'x', origin }, 1).origin).toEqual(origin);
  // The database refuses both of these characters.
  const hostile = { ...origin, title: 'Open\u0000Racetrack Database', licence: 'ODbL \ud800' };
  expect(readTrack({ name: 'x', origin: hostile }, 1).origin).toEqual({ ...origin, licence: 'ODbL \ufffd' });
  for (const wrong of [
    { ...origin, licence: undefined },
    { ...origin, sourceUrl: 'javascript:alert(1)' },
  ])
    expect(readTrack({ name: 'x', origin: wrong }, 1).origin).toBeUndefined();
});

test('an outline is turned into the driving direction, begins at the line, and is closed', () => {
  const startFinishLine = { lat: 45.5965, lon: -122.69, bearing: 0, width: 20 };
  const track = readTrack({ name: 'x', startFinishLine, outline: [...CORNERS, CORNERS[0]] }, 1);
  const [south, north] = [CORNERS[3], CORNERS[2]];
  // The line is on the eastern side, which is driven to the north.
  const outline = track.outline ?? [];
  expect(outline).toHaveLength(5);
  expect(outline.at(-1)).toEqual(outline[0]);
  const index = outline.findIndex((point) => String(point) === String(south));
  expect(outline[(index + 1) % 4]).toEqual(north);
  expect(track.warnings.join(' ')).toContain('The outline was turned round');
  const open = readTrack(
    { name: 'x', outline: CORNERS.map(([lat, lon]) => [lat * 1.001, lon]).slice(0, 3) },
    1,
  );
  expect(open.outline).toBeNull();
  expect(open.warnings).toContain('The outline is not closed and was left out.');
});

test('a line that reaches another part of the track is warned of', () => {
  // Two straights 50 m apart.
  const outline = CORNERS.map(([lat, lon]) => [lat, lon === -122.69 ? -122.69386 : lon]);
  const warning = 'The start/finish line also crosses another part of the track.';
  const warningsOf = (width: number) => {
    const startFinishLine = { lat: 45.5965, lon: -122.69386, bearing: 180, width };
    return readTrack({ name: 'x', startFinishLine, outline: [...outline, outline[0]] }, 1).warnings;
  };
  expect(warningsOf(140)).toContain(warning);
  expect(warningsOf(30)).not.toContain(warning);
});

test.each([
  ['lengthMeters', 'long', 'This must be a number.'],
  ['lengthMeters', -5, 'This must be between 50 and 200000.'],
  ['radiusMeters', 'Infinity', 'This must be a number.'],
  ['radiusMeters', [900], 'This must be a number.'],
  ['radiusMeters', 1e9, 'This must be between 10 and 50000.'],
  ['centerLat', 'NaN', 'This must be a number.'],
  ['centerLat', { $gt: 0 }, 'This must be a number.'],
  ['centerLon', 181, 'This must be between -180 and 180.'],
  ['name', { a: 1 }, 'This must be a text.'],
  ['name', 'x'.repeat(201), 'This may have at most 200 characters.'],
  ['country', true, 'This must be a text.'],
  ['outline', 'round', 'This must be a list of points.'],
  ['outline', [[1, 2], [1]], 'Point 2 is no position.'],
  [
    'outline',
    [
      [1, 2],
      [40, 2],
      [1, 3],
    ],
    'Its points are too far apart for a track.',
  ],
  ['sectors', { 0: 1 }, 'This must be a list of lines.'],
  ['startFinishLine', [1, 2, 1.2, 2], 'Its ends are more than 500 m apart.'],
  ['startFinishLine', 'there', 'It has neither two ends nor a point with bearing and width.'],
  [
    'startFinishLine',
    [
      [9, 9],
      [9, 9.001],
    ],
    'It is 1177 km away from the centre of the track.',
  ],
  [
    'startFinishLine',
    { lat1: 1, lon1: 2, lat2: 1, lon2: 2.0001, heading: 'north' },
    'Its bearing is not a number of degrees.',
  ],
])('a wrong %s is reported: %j', (field, value, problem) => {
  const good = {
    name: 'Ring',
    location: 'Town',
    country: 'Chad',
    centerLat: 1,
    centerLon: 2,
    radiusMeters: 900,
  };
  expect(readTrack(good, 1).problems).toEqual({});
  expect(readTrack({ ...good, [field]: value }, 1).problems).toEqual({ [field]: problem });
});
