import { expect, test } from 'vitest';
import { validateLibraryFile } from './library-upload.tsx';

const fileOf = (name: string, size = 10) => ({ name, size });

test('one file of the right kind is taken, however its ending is written', () => {
  const file = fileOf('Tracks.JSON');
  expect(validateLibraryFile([file], '.json')).toBe(file);
  const other = fileOf('Circuit.kml');
  expect(validateLibraryFile([other], '.json')).toBe(other);
});

test('anything else is refused with the reason', () => {
  expect(validateLibraryFile([], '.csv')).toBe('Please choose one file.');
  expect(validateLibraryFile([fileOf('a.csv'), fileOf('b.csv')], '.csv')).toBe('Please choose one file.');
  expect(validateLibraryFile([fileOf('cars.xlsx')], '.csv')).toBe('Please choose a .csv file.');
  expect(validateLibraryFile([fileOf('cars.csv', 1e9)], '.csv')).toMatch(/at most 64 MB/);
});
