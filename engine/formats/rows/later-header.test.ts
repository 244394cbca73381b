import { expect, test } from 'vitest';
import { simulateDrive } from '../../simulation/drive.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { readLapFile } from '../recognise.ts';

const { fixes } = simulateDrive(KART_TRACK, { seed: 5, laps: 1, receiver: { rateHz: 5 } });
const rows = fixes.map(({ timeMs, lat, lon }) => ({
  time: new Date(timeMs).toISOString(),
  lat: lat.toFixed(8),
  lon: lon.toFixed(8),
  rpm: 5000,
}));
const half = rows.length >> 1;
type Column = keyof (typeof rows)[number];

/** Writes the first half of the drive under one header, and the second under another. */
function read(first: readonly Column[], second: readonly Column[]) {
  const lines = [rows.slice(0, half), rows.slice(half)].flatMap((part, index) => {
    const columns = index === 0 ? first : second;
    return [columns.join(','), ...part.map((row) => columns.map((column) => row[column]).join(','))];
  });
  return readLapFile(new TextEncoder().encode(lines.join('\n')));
}

test('the same header once more costs a row', () => {
  const file = read(['time', 'lat', 'lon'], ['time', 'lat', 'lon']);
  expect(file.fixes.length).toBe(rows.length);
  expect(file.dropped).toEqual({ unreadable_row: 1 });
});

test.each([
  { second: ['time', 'lon', 'lat'] },
  { second: ['time', 'rpm', 'lat', 'lon'] },
  { second: ['lat', 'lon', 'time'] },
] as const)('a second header with positions or times in other columns is refused: $second', ({ second }) => {
  expect(() => read(['time', 'lat', 'lon', 'rpm'], second)).toThrow(
    `This file has a second header with other columns behind ${half} rows of data; split it there into two files and upload each of them.`,
  );
  expect(() => read(['time', 'rpm', 'rpm', 'lat', 'lon'], second)).toThrow('a second header');
});

test('behind a second header with other channels alone, positions are read and channels are not known', () => {
  const file = read(['time', 'lat', 'lon', 'rpm'], ['time', 'lat', 'lon']);
  expect(file.fixes.length).toBe(rows.length);
  const speeds = [...(file.fixes.channels?.rpm ?? [])];
  expect(speeds.slice(0, half).every((speed) => speed === 5000)).toBe(true);
  expect(speeds.slice(half).every(Number.isNaN)).toBe(true);
});
