import { expect, test } from 'vitest';
import { writeCsvCell } from './csv-cell.ts';

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
  ['Max;=2+5;x', "Max;'=2+5;x"],
  ['Max\t=2+5', "Max\t'=2+5"],
  ['Max; =2+5', "Max;' =2+5"],
  ['Max\n=2+5', '"Max\n\'=2+5"'],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['\t=1', "\t'=1"],
  [' ;\t ＝1', " ;\t' ＝1"],
  ['a=b; c-d', 'a=b; c-d'],
  ['Max - the; quick', 'Max - the; quick'],
])('%j is the cell %s', (value, cell) => {
  expect(writeCsvCell(value)).toBe(cell);
});

test('a cell can always be quoted', () => {
  expect(writeCsvCell('Mara', { isQuoted: true })).toBe('"Mara"');
  expect(writeCsvCell('=1', { isQuoted: true })).toBe(`"'=1"`);
});
