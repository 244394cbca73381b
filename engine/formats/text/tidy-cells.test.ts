import { expect, test } from 'vitest';
import { withoutPadding, withPlainMinus } from './tidy-cells.ts';

function tidy(text: string): string {
  return new TextDecoder().decode(withoutPadding(new TextEncoder().encode(text)));
}

const ROWS = Array.from({ length: 9 }, (_, row) => `${row}, "a , b" ,  48.1,`).join('\r\n');

test('cells lose the blanks at both ends, and those in quotes keep theirs', () => {
  expect(tidy(ROWS).split('\r\n')[1]).toBe('1,"a , b",48.1,');
  expect(tidy(ROWS.replaceAll(',', ';')).split('\r\n')[1]).toBe('1;"a ; b";48.1;');
});

test('lines that begin with a blank are a table as well', () => {
  expect(tidy('a,b\n 1,2\n 3,4\n 5,6\n 7,8\n 9,1\n 2,3\n 4,5\n 6,7\n')).toBe(
    'a,b\n1,2\n3,4\n5,6\n7,8\n9,1\n2,3\n4,5\n6,7\n',
  );
});

test.each([
  ['a table without blanks', 'time,lat,lon\n'.repeat(9)],
  ['a table with a blank here and there', 'time,lat,a name, another\n'.repeat(9)],
  ['blanks between the columns', ' 009 +0123.45 +0045.67\n'.repeat(9)],
  ['XML', `<a>${', , , , '.repeat(9)}</a>`],
])('%s stays as it is', (_, text) => {
  expect(tidy(text)).toBe(text);
});

function plain(text: string): string {
  return new TextDecoder().decode(withPlainMinus(new TextEncoder().encode(text)));
}

test('a typographic minus before digits becomes a hyphen everywhere, and no other text changes', () => {
  expect(plain('a;Übung − 1\n−1,5;\u22120,25;−x')).toBe('a;Übung - 1\n-1,5;-0,25;-x');
  expect(plain('Übung − eins\n1,5')).toBe('Übung − eins\n1,5');
});
