import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

const TABLE = [
  'timestamp,sats,hdop,lat,lng,speed_mph,altitude_m,heading_deg,h_acc_m,rpm,accel_x,accel_y,accel_z',
  '1775319260240,7,2.9,28.41084020,-81.37934280,22.369363,34.48,243.92,0.35,759,-0.199,-0.451,-1.001',
  '1775319260280,7,2.9,28.41084120,-81.37934380,22.369363,34.48,243.92,0.35,759,-0.199,-0.451,-1.001',
].join('\r\n');

function read(text: string) {
  return readLapFile(Buffer.from(text));
}

test('times are milliseconds since 1970, speeds mph', () => {
  const { format, clock, fixes, loggerLaps } = read(TABLE);
  expect({ format, clock, loggerLaps }).toEqual({ format: 'doves-csv', clock: 'utc', loggerLaps: [] });
  expect([...fixes.timesMs]).toEqual([1_775_319_260_240, 1_775_319_260_280]);
  expect(fixes.speedsMetersPerSecond[0]).toBeCloseTo(10, 5);
});

const SESSION =
  'datetime,driver,course,short_name,best_lap_ms,optimal_ms\r\n2026-04-04 16:29:30,Driver,Normal,OKC,55604,55433\r\n';

test.each([
  ['laps_ms and line ends', `${SESSION}laps_ms\r\n58648,57320\r\n${'\n'.repeat(900)}`],
  [
    'lap_times_ms and zeros',
    `${SESSION.replace('optimal_ms', 'optimal_ms,device_name,race_mode')}lap_times_ms\r\n58648,57320\r\n${'\0'.repeat(8000)}\n`,
  ],
  ['no line end behind the zeros', `${SESSION}laps_ms\n58648,57320\n${'\0'.repeat(900)}`],
])('a preamble with %s gives the laps', (_, preamble) => {
  const file = read(preamble + TABLE);
  expect(file.fixes.length).toBe(2);
  expect(file.loggerLaps).toMatchObject([
    { number: 1, lapTimeMs: 58_648, startTimeMs: null },
    { number: 2, lapTimeMs: 57_320, startTimeMs: null },
  ]);
});

test.each([
  ['padding alone, of a session that was not ended', '\n'.repeat(1020)],
  ['zeros alone', '\0'.repeat(1020)],
  ['a session without laps', `${SESSION}laps_ms\r\n\r\n${'\n'.repeat(900)}`],
])('%s holds no laps but is read', (_, preamble) => {
  const file = read(preamble + TABLE);
  expect(file).toMatchObject({ format: 'doves-csv', loggerLaps: [] });
  expect(file.fixes.length).toBe(2);
});
