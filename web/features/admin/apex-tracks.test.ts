import { expect, test } from 'vitest';
import { hasOneStartFinish, readApexImport, readApexTracks, searchApexTracks } from './apex-tracks.ts';

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

test('tracks are read from a list, too, and a track without a name has its place', () => {
  expect(readApexTracks([{ traps: [] }, { track: { name: 'Zolder' } }]).map(({ name }) => name)).toEqual([
    'Track 1',
    'Zolder',
  ]);
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

test('the warnings of an import may stand beside its summary or in it', () => {
  const counts = { tracksUpserted: 2, trapsUpserted: 5 };
  expect(readApexImport({ summary: counts, warnings: ['One.'] }).warnings).toEqual(['One.']);
  expect(readApexImport({ summary: { ...counts, warnings: ['Two.'] } }).warnings).toEqual(['Two.']);
  expect(readApexImport({ summary: counts }).warnings).toEqual([]);
});
