import { expect, test } from 'vitest';
import { simulateDrive } from '../../simulation/drive.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { writeTrackAddict } from '../../testing/write-trackaddict.ts';
import { readLapFile } from '../recognise.ts';

const FIRST_LINE = '# RaceRender Data: TrackAddict 4.8.2 on iOS 26.0 [iPhone14,2] (Mode: 0)';
const HEADER =
  '"Time","UTC Time","Lap","GPS_Update","GPS_Delay","Latitude","Longitude","Altitude (m)","Speed (Km/h)","Heading"';

function read(...lines: string[]) {
  return readLapFile(new TextEncoder().encode([...lines, ''].join('\n')));
}

test('only rows with a new fix are fixes; the others hold its position', () => {
  const file = read(
    FIRST_LINE,
    '# End Point: 51.99907, 13.68830  @ -1.00 deg',
    HEADER,
    '0.000,1559734111.000,0,1,0.000,51.9993282,13.6881675,91.1,36.0,0.0',
    '0.050,1559734111.050,0,0,0.000,51.9993282,13.6881675,91.1,36.0,0.0',
    '1.003,1559734112.003,0,1,0.000,51.9994282,13.6881675,91.1,72.0,0.0',
  );
  expect(file.format).toBe('trackaddict-csv');
  expect(file.clock).toBe('utc');
  expect([...file.fixes.timesMs]).toEqual([1_559_734_111_000, 1_559_734_112_003]);
  expect([...file.fixes.speedsMetersPerSecond].map((speed) => Math.round(speed))).toEqual([10, 20]);
  expect(file.dropped).toEqual({ held_position: 1 });
});

test('the official laps are in comments between the rows, and lap 0 is none', () => {
  const file = read(
    FIRST_LINE,
    HEADER,
    '0.000,1559734111.000,0,1,0.000,51.9993,13.6881,91.1,36.0,0.0',
    '# Lap 0: 00:00:04.004',
    '# Pit Lane Entry',
    '4.050,1559734115.050,1,1,0.000,51.9995,13.6881,91.1,36.0,0.0',
    '130.100,1559734241.100,1,1,0.000,51.9996,13.6881,91.1,36.0,0.0',
    '# Lap 1: 00:02:06.081',
    '# Sector 1: 00:00:05.000',
    '# Session End',
  );
  expect(file.loggerLaps).toMatchObject([
    { number: 1, lapTimeMs: 126_081, startTimeMs: 1_559_734_241_100 - 126_081 },
  ]);
});

test('files of version 3 have no UTC time', () => {
  const file = read(
    '# RaceRender Data: TrackAddict 3.9.4 on iOS',
    '"Time","Lap","GPS_Update","Latitude","Longitude","Speed (MPH)"',
    '0.100,0,1,51.9993282,13.6881675,10.0',
  );
  expect(file.clock).toBe('elapsed');
  expect([...file.fixes.timesMs]).toEqual([100]);
  expect(file.fixes.speedsMetersPerSecond[0]).toBeCloseTo(4.4704, 9);
});

test('a phone that did not know the date yet is timed by the seconds of the recording', () => {
  const file = read(FIRST_LINE, HEADER, '0.000,0.000,0,1,0.000,51.9993,13.6881,91.1,36.0,0.0');
  expect(file.clock).toBe('elapsed');
});

test('without a column that marks new fixes every row is one', () => {
  const file = read(FIRST_LINE, '"Time","Latitude","Longitude"', '0.0,51.9,13.6', '0.1,51.9,13.6');
  expect(file.fixes.length).toBe(2);
  expect(file.dropped).toEqual({});
});

test('a log without positions is refused in words', () => {
  expect(() => read(FIRST_LINE, '"Time","Lap","RPM"', '0.0,0,800')).toThrow(/no positions/);
});

const drive = simulateDrive(KART_TRACK, {
  seed: 5,
  laps: 3,
  receiver: { rateHz: 1, timeStampStepMs: 1, coordinateDecimals: 7 },
});

test.each(['Km/h', 'MPH', 'm/s'] as const)(
  'a simulated drive with speeds in %s comes back whole',
  (speedUnit) => {
    const file = readLapFile(new TextEncoder().encode(writeTrackAddict(drive, { speedUnit })));
    expect(file.fixes.length).toBe(drive.fixes.length);
    expect([...file.fixes.timesMs]).toEqual(drive.fixes.map((fix) => fix.timeMs));
    expect([...file.fixes.lats]).toEqual(drive.fixes.map((fix) => fix.lat));
    for (const [index, fix] of drive.fixes.entries()) {
      expect(file.fixes.speedsMetersPerSecond[index]).toBeCloseTo(fix.speedMetersPerSecond, 0);
    }
    expect(file.loggerLaps.map((lap) => lap.lapTimeMs)).toEqual(
      drive.trueLaps.map((lap) => Math.round(lap.lapTimeMs)),
    );
  },
);
