import { expect, test } from 'vitest';
import { decodeText, toByteText } from './text-encoding.ts';

const TEXT = 'time,lat,lon (°)\r\n1,2,3\r\nŐ€';

function utf16(text: string, order: 'little' | 'big', mark: boolean): Uint8Array {
  const units = [...(mark ? '\ufeff' : ''), ...text].map((character) => character.charCodeAt(0));
  const bytes = new Uint8Array(2 * units.length);
  const view = new DataView(bytes.buffer);
  for (const [index, unit] of units.entries()) view.setUint16(2 * index, unit, order === 'little');
  return bytes;
}

test('plain UTF-8 is not copied', () => {
  const bytes = new TextEncoder().encode(TEXT);
  expect(toByteText(bytes)).toBe(bytes);
});

test('a byte-order mark is taken off', () => {
  expect(decodeText(toByteText(new TextEncoder().encode(`\ufeff${TEXT}`)))).toBe(TEXT);
});

test.each([
  ['little', true],
  ['big', true],
  ['little', false],
  ['big', false],
] as const)('UTF-16, %s endian, mark %s, becomes UTF-8', (order, mark) => {
  expect(decodeText(toByteText(utf16(TEXT, order, mark)))).toBe(TEXT);
});

test('half a UTF-16 unit at a cut end is left out', () => {
  const bytes = utf16('time,latitude', 'little', true);
  expect(decodeText(toByteText(bytes.subarray(0, bytes.length - 1)))).toBe('time,latitud');
});

test('what is no valid UTF-8 is windows-1252', () => {
  expect(decodeText(Uint8Array.of(0x33, 0xb0, 0xfc))).toBe('3°ü');
});

test('zeros between lines are no sign of UTF-16', () => {
  const bytes = new TextEncoder().encode('a,b\n\0\0\0\0\0\0\0\0\0\0');
  expect(toByteText(bytes)).toBe(bytes);
});
