import { expect, test } from 'vitest';
import { writeCsvCell } from './csv.ts';

test.each([
  ['Mara', 'Mara'],
  ['Mara, "the fast"', '"Mara, ""the fast"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['+49', "'+49"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
  [-12, '-12'],
])('%j is the cell %s', (value, cell) => {
  expect(writeCsvCell(value)).toBe(cell);
});

test('a cell can always be quoted', () => {
  expect(writeCsvCell('Mara', { isQuoted: true })).toBe('"Mara"');
  expect(writeCsvCell('=1', { isQuoted: true })).toBe(`"'=1"`);
});
