import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { UnreadableLapFileError } from '../lap-file.ts';
import { unpackLapFile } from './unpack.ts';

function unpack(bytes: Uint8Array): Uint8Array {
  return unpackLapFile(bytes, inflateLapFile);
}

const text = Buffer.from(
  `time,lat,lon\n${Array.from({ length: 5000 }, (_, row) => `${row / 10},48.${1_000_000 + row * 37},11.5`).join('\n')}`,
);

test('a gzip file is unpacked, several in one as well', () => {
  expect(Buffer.from(unpack(gzipSync(text)))).toEqual(text);
  const [start, end] = [text.subarray(0, 3000), text.subarray(3000)];
  expect(Buffer.from(unpack(Buffer.concat([gzipSync(start), gzipSync(end)])))).toEqual(text);
});

test('other bytes stay as they are', () => {
  expect(unpack(text)).toBe(text);
  expect(unpack(Buffer.alloc(0))).toHaveLength(0);
});

test('a gzip file that was cut off is unpacked as far as it goes', () => {
  const packed = gzipSync(text);
  const start = Buffer.from(unpack(packed.subarray(0, packed.length / 2)));
  expect(start.length).toBeGreaterThan(text.length / 4);
  expect(text.subarray(0, start.length)).toEqual(start);
});

test('a damaged gzip file is refused in words', () => {
  const packed = gzipSync(text);
  packed.fill(0xff, 20, 60);
  expect(() => unpack(packed)).toThrow(UnreadableLapFileError);
  expect(() => unpack(packed)).toThrow(/damaged/);
});

test('a small file that unpacks to very much is refused', () => {
  const bomb = gzipSync(Buffer.alloc(30_000_000));
  expect(() => unpack(bomb)).toThrow(UnreadableLapFileError);
  expect(() => unpack(bomb)).toThrow(/far more than a lap file/);
});
