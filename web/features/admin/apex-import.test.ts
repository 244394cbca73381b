import { expect, test } from 'vitest';
import type { ParsedApexTrack } from '#contract/library/schemas.ts';
import { hasOneStartFinish, searchApexTracks } from './apex-import.tsx';

const LINE = { a: { lat: 50, lon: 5 }, b: { lat: 50, lon: 5.001 }, bearingDeg: null, name: null };

function apexTrack(given: Partial<ParsedApexTrack['track']>, ...types: string[]): ParsedApexTrack {
  const track = {
    name: 'Spa',
    configuration: null,
    city: null,
    country: null,
    geofenceRadiusM: null,
    lengthMeters: null,
    centerLat: null,
    centerLon: null,
    ...given,
  };
  return { row: 1, track, traps: types.map((type) => ({ ...LINE, type })), problems: {}, warnings: [] };
}

test.each([
  [[], false],
  [['sector', 'sector'], false],
  [['start_finish'], true],
  [['sector', 'start_finish', 'sector'], true],
  [['start_finish', 'start_finish'], false],
])('the traps %j have exactly one at which laps begin: %j', (types, isOne) => {
  expect(hasOneStartFinish(apexTrack({}, ...types))).toBe(isOne);
});

test('a search looks at name, configuration, city and country', () => {
  const tracks = [
    apexTrack({ name: 'Spa', city: 'Stavelot', country: 'Belgium' }),
    apexTrack({ name: 'Nordschleife', configuration: 'BTG', city: 'Nürburg' }),
  ];
  const namesFor = (typed: string) => searchApexTracks(tracks, typed).map(({ track }) => track.name);
  expect(namesFor(' STAVE ')).toEqual(['Spa']);
  expect(namesFor('btg')).toEqual(['Nordschleife']);
  expect(namesFor('  ')).toEqual(['Spa', 'Nordschleife']);
  expect(namesFor('Monza')).toEqual([]);
});
