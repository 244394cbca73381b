import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { UnreadableLapFileError } from '#engine/lap-file.ts';
import { inflateLapFile } from './inflate-lap-file.ts';

const text = Buffer.from(
  `time,lat,lon\n${Array.from({ length: 5000 }, (_, row) => `${row / 10},48.${1_000_000 + row * 37},11.5`).join('\n')}`,
);

test('a gzip file is unpacked, several in one as well', () => {
  expect(Buffer.from(inflateLapFile(gzipSync(text)))).toEqual(text);
  const [start, end] = [text.subarray(0, 3000), text.subarray(3000)];
  expect(Buffer.from(inflateLapFile(Buffer.concat([gzipSync(start), gzipSync(end)])))).toEqual(text);
});

test('other bytes stay as they are', () => {
  expect(inflateLapFile(text)).toBe(text);
  expect(inflateLapFile(Buffer.alloc(0))).toHaveLength(0);
});

test('a gzip file that was cut off is unpacked as far as it goes', () => {
  const packed = gzipSync(text);
  const start = Buffer.from(inflateLapFile(packed.subarray(0, packed.length / 2)));
  expect(start.length).toBeGreaterThan(text.length / 4);
  expect(text.subarray(0, start.length)).toEqual(start);
});

test('a damaged gzip file is refused in words', () => {
  const packed = gzipSync(text);
  packed.fill(0xff, 20, 60);
  expect(() => inflateLapFile(packed)).toThrow(UnreadableLapFileError);
  expect(() => inflateLapFile(packed)).toThrow(/damaged/);
});

test('a small file that unpacks to very much is refused', () => {
  const bomb = gzipSync(Buffer.alloc(30_000_000));
  expect(() => inflateLapFile(bomb)).toThrow(UnreadableLapFileError);
  expect(() => inflateLapFile(bomb)).toThrow(/far more than a lap file/);
});
