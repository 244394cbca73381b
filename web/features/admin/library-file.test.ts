import { expect, test } from 'vitest';
import { takeLibraryFile } from './library-file.ts';

const fileOf = (name: string, size = 10) => ({ name, size });

test('one file of the right kind is taken, however its ending is written', () => {
  const file = fileOf('Tracks.JSON');
  expect(takeLibraryFile([file], '.json')).toBe(file);
});

test('anything else is refused with the reason', () => {
  expect(takeLibraryFile([], '.csv')).toBe('Please choose one file.');
  expect(takeLibraryFile([fileOf('a.csv'), fileOf('b.csv')], '.csv')).toBe('Please choose one file.');
  expect(takeLibraryFile([fileOf('cars.xlsx')], '.csv')).toBe('Please choose a .csv file.');
  expect(takeLibraryFile([fileOf('cars.csv', 1e9)], '.csv')).toMatch(/at most 64 MB/);
});
