import { expect, test } from 'vitest';
import { lineAt, readRows, detectSeparator, splitLine } from './csv-table.ts';

const BYTES = { ',': 0x2c, ';': 0x3b, '\t': 0x09 };

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function numbersIn(
  text: string,
  columns: (number | null)[],
  separator: keyof typeof BYTES = ',',
): number[][] {
  const rows: number[][] = [];
  readRows({ bytes: bytesOf(text), separator: BYTES[separator], firstRow: 0 }, columns, (row) => {
    rows.push(columns.map((_, slot) => row.number(slot)));
  });
  return rows;
}

test('only the wanted columns are read, in the order in which they are asked for', () => {
  expect(numbersIn('1,2,3,4\n5,6,7,8\n', [3, 0])).toEqual([
    [4, 1],
    [8, 5],
  ]);
});

test('a column may be asked for several times', () => {
  expect(numbersIn('1,2\n3,4\n', [0, 1, 0, 0])).toEqual([
    [1, 2, 1, 1],
    [3, 4, 3, 3],
  ]);
});

test.each(['\n', '\r\n', '\r'])('lines may end with %j, and the last one with nothing', (lineEnd) => {
  expect(numbersIn(`1,2${lineEnd}${lineEnd}3,4`, [0, 1])).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test('cells that a short row lacks are blank, and so are those of a column that is not there', () => {
  expect(numbersIn('1\n2,3\n', [0, 1, null])).toEqual([
    [1, Number.NaN, Number.NaN],
    [2, 3, Number.NaN],
  ]);
});

test('rows that a spreadsheet has padded with separators are no rows', () => {
  expect(numbersIn('1,2,,,\n,,,,\n3,4,,,\n', [0, 1])).toHaveLength(2);
});

test('quoted cells may hold separators and doubled quotes', () => {
  expect(numbersIn('"a, ""b"", c","1.5",2\n', [1, 2])).toEqual([[1.5, 2]]);
});

test('a quote that is never closed spoils its own line only', () => {
  expect(numbersIn('1,"2,3\n4,5,6\n', [0, 2])).toEqual([
    [1, Number.NaN],
    [4, 6],
  ]);
});

test('a comma is a decimal mark where it does not separate cells', () => {
  expect(numbersIn('1,5;-2,25;3.5\n', [0, 1, 2], ';')).toEqual([[1.5, -2.25, 3.5]]);
  expect(numbersIn('1,5\t-2,25\n', [0, 1], '\t')).toEqual([[1.5, -2.25]]);
});

test('a grouped number is not taken for another one', () => {
  expect(numbersIn('"4,120",1\n', [0, 1])).toEqual([[Number.NaN, 1]]);
  expect(numbersIn('1.234,5;1\n', [0, 1], ';')).toEqual([[Number.NaN, 1]]);
});

test('comments may be between the rows', () => {
  const comments: string[] = [];
  let rows = 0;
  const bytes = bytesOf('1,2\n# Lap 1: 00:01:00.000\n3,4\n"# quoted",,\n');
  readRows(
    { bytes, separator: BYTES[','], firstRow: 0 },
    [0],
    () => void rows++,
    (text) => void comments.push(text),
  );
  expect(rows).toBe(2);
  expect(comments).toEqual(['# Lap 1: 00:01:00.000', '"# quoted",,']);
});

test('reading stops when the visitor has seen enough', () => {
  let rows = 0;
  readRows({ bytes: bytesOf('1\n2\n3\n'), separator: BYTES[','], firstRow: 0 }, [0], () => ++rows < 2);
  expect(rows).toBe(2);
});

test('the separator is what a line holds most of outside of quotes', () => {
  const lines = ['a,b,c', 'a;b;"c,,,,"', 'a\tb, c\td'].map(bytesOf);
  const separators = lines.map((line) => detectSeparator(line, lineAt(line, 0)));
  expect(separators).toEqual([BYTES[','], BYTES[';'], BYTES['\t']]);
});

test('a header line is split into its cells', () => {
  const bytes = bytesOf('"Time", "GPS ""Speed""" ,,last');
  expect(splitLine(bytes, lineAt(bytes, 0), BYTES[','])).toEqual(['Time', 'GPS "Speed"', '', 'last']);
});
