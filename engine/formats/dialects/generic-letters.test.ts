import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

function read(heads: string, letters: readonly string[]) {
  const rows = letters.map((letter, row) => `${10 + row},23.7,S,${46.7 + row / 1e4},${letter}`);
  const { lats, lons } = readLapFile(
    new TextEncoder().encode([`seconds,${heads}`, ...rows].join('\n')),
  ).fixes;
  return [lats[0], lons[0]];
}

test.each([
  ['a name that says nothing, in the west', 'lat,h1,lon,h2', 'W', -46.7],
  ['a name that says nothing, in the east', 'lat,h1,lon,h2', 'E', 46.7],
  ['the letters of Spanish, French and Italian', 'lat,NS,lon,E/O', 'O', -46.7],
  ['the letters of German and Dutch', 'lat,NS,lon,O/W', 'O', 46.7],
])('letters of the hemispheres under %s are read', (_, heads, letter, lon) => {
  expect(read(heads, [letter, letter])).toEqual([-23.7, lon]);
});

test('another letter of the column shows what an O is, and where none does, the file is refused', () => {
  expect(read('lat,h1,lon,h2', ['O', 'E'])).toEqual([-23.7, -46.7]);
  expect(read('lat,h1,lon,h2', ['O', 'W'])).toEqual([-23.7, 46.7]);
  expect(() => read('lat,h1,lon,h2', ['O', 'O'])).toThrow(/letter O beside its longitudes.*by E or W/);
});
