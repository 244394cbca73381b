import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDecimal } from './decimal.ts';

function parse(text: string, shift = 0): number {
  const bytes = new TextEncoder().encode(text);
  return parseDecimal(bytes, 0, bytes.length, shift);
}

test.each([
  ['0', 0],
  ['-0.0000001', -0.0000001],
  ['+5', 5],
  ['.5', 0.5],
  ['5.', 5],
  [' 12.25 ', 12.25],
  ['31.078922', 31.078922],
  ['1e3', 1000],
  ['1.5E-3', 0.0015],
  ['-5.790440103770867', -5.790440103770867],
  ['000000000000000000001.5', 1.5],
  ['123456789012345678901234567890', 123456789012345678901234567890],
])('%s is read as %d', (text, value) => {
  expect(parse(text)).toBe(value);
});

test.each([
  '',
  ' ',
  '-',
  '.',
  '-.',
  '1.2.3',
  '12a',
  'NaN',
  'Infinity',
  '-Infinity',
  '1e',
  '1e99999',
  '0x10',
  '1,5',
  '12 34',
  '--1',
])('"%s" is no number', (text) => {
  expect(parse(text)).toBeNaN();
});

test('every double, written out by the language, is read back to the last bit', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(parse(String(value)) === value).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('decimals of every length give the double that the language gives', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 19n }),
      fc.nat(19),
      fc.boolean(),
      (digits, decimals, negative) => {
        const padded = digits.toString().padStart(decimals + 1, '0');
        const split = padded.length - decimals;
        const text = `${negative ? '-' : ''}${padded.slice(0, split)}.${padded.slice(split)}`;
        expect(parse(text) === Number(text)).toBe(true);
      },
    ),
    { numRuns: 5000 },
  );
});

test('seconds are read as milliseconds without a rounding in between', () => {
  expect(parse('1767150801.425', 3)).toBe(1767150801425);
  expect(parse('1153.06491', 3)).toBe(1153064.91);
  expect(parse('1559734111.0081', 3)).toBe(1559734111008.1);
});

test('a field of a million digits is no number and does not take long', () => {
  expect(parse('9'.repeat(1_000_000))).toBeNaN();
});
