import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

function read(...lines: string[]) {
  return readLapFile(new TextEncoder().encode([...lines, ''].join('\n')));
}

const PREAMBLE = [
  '"Format","MoTeC CSV File",,,"Workbook",""',
  '"Venue","Kart track",,,"Worksheet",""',
  '"Log Date","04/07/2026",,,"Origin Time","0.000","s"',
  '"Log Time","14:30:10",,,"Start Time","0.000","s"',
  '"Sample Rate","50.000","Hz",,"End Time","200.000","s"',
  '"Duration","200.000","s",,"Start Distance","0","m"',
  '"Range","entire outing",,,"End Distance","2000","m"',
];
const TABLE = [
  '',
  '',
  '"Time","Ground Speed","GPS Latitude","GPS Longitude","Time"',
  '"s","km/h","deg","deg","min"',
  '',
  '',
  '"0.000","36.0","45.0453","12.1490","870"',
  '"0.020","36.0","45.0454","12.1490","870"',
];
const START_MS = Date.parse('2026-07-04T14:30:10Z');

test('the beacon markers are in one cell; the first ends the out lap', () => {
  const file = read(...PREAMBLE, '"Beacon Markers","52.500 103.000 153.250 "', ...TABLE);
  expect(file.format).toBe('motec-csv');
  expect(file.loggerLaps).toMatchObject([
    { number: 1, lapTimeMs: 50_500, startTimeMs: START_MS + 52_500 },
    { number: 2, lapTimeMs: 50_250, startTimeMs: START_MS + 103_000 },
  ]);
});

test('the second of two keys in a line is not taken for values of the first, nor the second Time for the first', () => {
  const file = read(...PREAMBLE, '"Beacon Markers",""', ...TABLE);
  expect(file.clock).toBe('local');
  expect([...file.fixes.timesMs]).toEqual([START_MS, START_MS + 20]);
  expect(file.fixes.speedsMetersPerSecond[0]).toBeCloseTo(10, 9);
  expect(file.loggerLaps).toEqual([]);
  expect(file.dropped).toEqual({});
});

test('a converter that leaves most of the preamble out is read', () => {
  const file = read('"Format","MoTeC CSV File"', ...TABLE);
  expect(file.clock).toBe('elapsed');
  expect([...file.fixes.timesMs]).toEqual([0, 20]);
});

test('an export of a simulator is marked, and one of a dash is not', () => {
  const comment = '"Comment","Assetto Corsa Competizione",,,"Session","2"';
  expect(read(...PREAMBLE, comment, ...TABLE).isSimulated).toBe(true);
  expect(read(...PREAMBLE, '"Device","ADL"', ...TABLE).isSimulated).toBe(false);
});

test('an export of a simulator without GPS is refused in words', () => {
  expect(() => read(...PREAMBLE, '', '"Time","Ground Speed"', '"s","km/h"', '"0","5"')).toThrow(
    /MoTeC file has no columns with GPS/,
  );
});
