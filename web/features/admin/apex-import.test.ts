import { expect, test } from 'vitest';
import { readApexTracks } from '#web/api/specified-answers/admin.ts';
import { hasOneStartFinish, searchApexTracks } from './apex-import.tsx';

const withTraps = (...types: string[]) => ({
  track: { name: 'Spa' },
  traps: types.map((type) => ({ type })),
});

test.each([
  [[], 0, false],
  [['sector', 'sector'], 0, false],
  [['start_finish'], 1, true],
  [['sector', 'start_finish', 'sector'], 1, true],
  [['start_finish', 'start_finish'], 2, false],
])('of the traps %j, %i begin a lap', (types, count, isOne) => {
  const [track] = readApexTracks({ tracks: [withTraps(...types)] });
  expect(track?.startFinishCount).toBe(count);
  expect(track?.trapCount).toBe(types.length);
  expect(track && hasOneStartFinish(track)).toBe(isOne);
});

test('a search looks at name, configuration, city and country', () => {
  const tracks = readApexTracks({
    tracks: [
      { track: { name: 'Spa', city: 'Stavelot', country: 'Belgium' } },
      { track: { name: 'Nordschleife', configuration: 'BTG', city: 'Nürburg' } },
    ],
  });
  const namesFor = (typed: string) => searchApexTracks(tracks, typed).map(({ name }) => name);
  expect(namesFor(' STAVE ')).toEqual(['Spa']);
  expect(namesFor('btg')).toEqual(['Nordschleife']);
  expect(namesFor('  ')).toEqual(['Spa', 'Nordschleife']);
  expect(namesFor('Monza')).toEqual([]);
});
