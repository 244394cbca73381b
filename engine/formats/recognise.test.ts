import { expect, test } from 'vitest';
import { FORMATS, listFormatNames, nameFormat, readLapFile } from './recognise.ts';

const CSV = 'time,latitude,longitude\n2026-06-21T20:43:33Z,48.1,11.5\n';
const GPX =
  '<gpx><trk><trkseg><trkpt lat="48.1" lon="11.5"><time>2026-06-21T20:43:33Z</time></trkpt></trkseg></trk></gpx>';

test('formats have names of their own, for machines and for people', () => {
  expect(new Set(FORMATS.map((format) => format.format)).size).toBe(FORMATS.length);
  expect(new Set(FORMATS.map((format) => format.name)).size).toBe(FORMATS.length);
  expect(new Set(listFormatNames().map(nameFormat)).size).toBe(listFormatNames().length);
  expect(nameFormat('racechrono-csv-v3')).toBe('RaceChrono CSV v3');
  expect(nameFormat('racechrono-rcz')).toBe('RaceChrono session');
  expect(nameFormat('gone')).toBe('gone');
  for (const { format } of FORMATS) expect(format).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test.each([
  ['gpx', GPX],
  ['gpx', `\n\t<?xml version="1.0"?><!-- a,b,lat,lon,time -->${GPX}`],
  ['generic-csv', CSV],
  ['generic-csv', `exported by <gpx> tools\n${CSV}`],
])('content decides: %s', (format, content) => {
  expect(readLapFile(new TextEncoder().encode(content)).format).toBe(format);
});

test.each([
  ['UTF-8 with a mark', (text: string) => [0xef, 0xbb, 0xbf, ...Buffer.from(text)]],
  ['UTF-16, little endian', (text: string) => [0xff, 0xfe, ...Buffer.from(text, 'utf16le')]],
  ['UTF-16, big endian', (text: string) => [0xfe, 0xff, ...Buffer.from(text, 'utf16le').swap16()]],
  ['UTF-16 without a mark', (text: string) => [...Buffer.from(text, 'utf16le')]],
])('%s makes no difference', (_, encode) => {
  for (const text of [CSV, GPX]) {
    const plain = readLapFile(new TextEncoder().encode(text));
    expect(readLapFile(Uint8Array.from(encode(text)))).toEqual(plain);
  }
});

test('padding of zeros between the lines makes no difference', () => {
  const padded = CSV.replace('\n', `\n${'\0'.repeat(5000)}\n${'\n'.repeat(5000)}`);
  expect(readLapFile(new TextEncoder().encode(padded)).fixes.length).toBe(1);
});
