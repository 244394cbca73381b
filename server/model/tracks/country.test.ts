import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Track } from '#contract/tracks/schemas.ts';
import { countryAt } from './country.ts';

const LIBRARY: Pick<Track, 'id' | 'country' | 'centerLat' | 'centerLon'>[] = JSON.parse(
  readFileSync(new URL('../../../data/tracks.json', import.meta.url), 'utf8'),
);

test('every track of the library is in the country that it names', () => {
  const wrong = LIBRARY.filter(
    ({ country, centerLat, centerLon }) => countryAt(centerLat, centerLon) !== country,
  );
  expect(wrong.map(({ id, country }) => [id, country])).toEqual([]);
});

test('there is no country at sea', () => {
  expect(countryAt(30, -40)).toBeNull();
});
