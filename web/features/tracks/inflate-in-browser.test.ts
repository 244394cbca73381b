import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { writeZip } from '#engine/testing/write-zip.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { openLapFile } from '#engine/time-lap-file.ts';
import { inflateInBrowser } from './inflate-in-browser.ts';

const TEXT = Array.from({ length: 20_000 }, (_, row) => `${row},${Math.sin(row)}`).join('\n');
const PACKED = { gzip: gzipSync(TEXT), zlib: deflateSync(TEXT), deflate: deflateRawSync(TEXT) } as const;

test.each(['gzip', 'zlib', 'deflate'] as const)(
  '%s comes out as it went in, cut off as far as it goes',
  (packing) => {
    const bytes = PACKED[packing];
    const read = (packed: Uint8Array) => new TextDecoder().decode(inflateInBrowser(packed, packing, 1e7));
    expect(read(bytes)).toBe(TEXT);
    const half = read(bytes.subarray(0, bytes.length / 2));
    expect(half.length).toBeGreaterThan(TEXT.length / 4);
    expect(TEXT.startsWith(half)).toBe(true);
  },
);

test('more than the limit throws a RangeError, damaged bytes another error', () => {
  expect(() => inflateInBrowser(gzipSync(new Uint8Array(5_000_000)), 'gzip', 1_000_000)).toThrow(RangeError);
  expect(() =>
    inflateInBrowser(Uint8Array.from([31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 255, 255, 255, 255]), 'gzip', 1000),
  ).toThrow();
});

test('a lap file opens compressed, and out of a ZIP archive', () => {
  const gpx = new TextEncoder().encode(writeGpx(simulateDrive(KART_TRACK, { seed: 1, laps: 1 })));
  const { fixCount } = openLapFile(gpx);
  expect(fixCount).toBeGreaterThan(300);
  expect(openLapFile(gzipSync(gpx), inflateInBrowser).fixCount).toBe(fixCount);
  const zip = writeZip([['day/laps.gpx', gpx]], deflateRawSync);
  expect(openLapFile(zip, inflateInBrowser).fixCount).toBe(fixCount);
});
