import { expect, test } from 'vitest';
import { simulateDrive } from '../../simulation/drive.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { writeRaceChronoV3 } from '../../simulation/write-racechrono.ts';
import { readLapFile } from '../recognise.ts';

const PREAMBLE = [
  'This file is created using RaceChrono Pro v9.1.3 ( http://racechrono.com/ ).',
  'Format,3',
  'Session title,"Test, of a title"',
  'Session type,Lap timing',
  '',
  'Driver name,',
  'Created,31/12/2025,02:54',
  'Note,',
  '',
];
const HEADER = [
  'timestamp,fragment_id,lap_number,elapsed_time,speed,latitude,longitude,speed,device_update_rate,speed',
  'unix time,,,s,m/s,deg,deg,m/s,Hz,m/s',
  ',,,,calc,100: gps,100: gps,100: gps,100: gps,200: canbus',
];

function read(rows: string[], { preamble = PREAMBLE, header = HEADER, lineEnd = '\r\n' } = {}) {
  return readLapFile(new TextEncoder().encode([...preamble, ...header, ...rows, ''].join(lineEnd)));
}

function pad(line: string): string {
  return `${line.replaceAll('"', '')},,,,`;
}

function convert(line: string): string {
  return line.replaceAll(',', ';').replaceAll('.', ',');
}

function reversed(line: string): string {
  return line.split(',').toReversed().join(',');
}

test('the speed of the receiver is read, not the calculated one and not that of the car', () => {
  const file = read(['1767150797.44,0,8,1149.08,99,31.0781678,121.1164132,33.453,25.0,88']);
  expect(file.format).toBe('racechrono-csv-v3');
  expect(file.clock).toBe('utc');
  expect([...file.fixes.timesMs]).toEqual([1_767_150_797_440]);
  expect([...file.fixes.lats]).toEqual([31.0781678]);
  expect([...file.fixes.lons]).toEqual([121.1164132]);
  expect([...file.fixes.speedsMetersPerSecond]).toEqual([33.453]);
});

test('rows at a line are as exact as their elapsed time, though their time stamp is rounded', () => {
  const file = read([
    '1767150801.41,0,8,1153.05,0,31.0789200,121.1151312,42,25.0,0',
    '1767150801.425,0,9,1153.06491,0,31.0789220,121.1151250,42,25.0,0',
    '1767150801.44,0,9,1153.08,0,31.0789240,121.1151187,42,25.0,0',
    '1767150877.75,0,9,1229.39,0,31.0789180,121.1151250,42,25.0,0',
    '1767150877.754,0,10,1229.39379,0,31.0789190,121.1151238,42,25.0,0',
    '1767150877.76,0,10,1229.4,0,31.0789200,121.1151200,42,25.0,0',
  ]);
  expect(file.fixes.timesMs[1]).toBeCloseTo(1_767_150_801_424.91, 3);
  expect(file.loggerLaps).toHaveLength(1);
  expect(file.loggerLaps[0]).toMatchObject({ number: 9, startTimeMs: file.fixes.timesMs[1] });
  expect(file.loggerLaps[0]?.lapTimeMs).toBeCloseTo(76_328.88, 2);
});

test('rows before the first fix have no position and are counted', () => {
  const file = read(['1767150797.42,0,,0.02,,,,,,12', '1767150797.44,0,,0.04,,31.07,121.11,33,25.0,88']);
  expect(file.fixes.length).toBe(1);
  expect(file.dropped).toEqual({ no_position: 1 });
});

test('a lap that was interrupted by a break of the recording is none', () => {
  const file = read([
    '1767150001,0,1,1,,31.01,121.1,30,1.0,',
    '1767150002,0,2,2,,31.02,121.1,30,1.0,',
    '1767150003,1,2,3,,31.03,121.1,30,1.0,',
    '1767150004,1,3,4,,31.04,121.1,30,1.0,',
    '1767150005,1,4,5,,31.05,121.1,30,1.0,',
  ]);
  expect(file.loggerLaps.map((lap) => lap.number)).toEqual([3]);
});

test('a file that went through a spreadsheet is still RaceChrono', () => {
  const rows = ['1767150797.44,0,8.0,1149.08,99,31.07,121.11,33.453,25.0,88', ',,,,,,,,,'];
  const file = read(rows, { preamble: PREAMBLE.map(pad), header: HEADER.map(pad), lineEnd: '\n' });
  expect(file.format).toBe('racechrono-csv-v3');
  expect(file.fixes.length).toBe(1);
  expect(file.dropped).toEqual({});
});

test('semicolons and decimal commas are read', () => {
  const file = read([convert('1767150797.44,0,8,1149.08,99,31.07,121.11,33.453,25.0,88')], {
    preamble: PREAMBLE.map((line, index) => (index === 0 ? line : convert(line))),
    header: HEADER.map(convert),
  });
  expect(file.format).toBe('racechrono-csv-v3');
  expect([...file.fixes.lats]).toEqual([31.07]);
});

test('columns in another order are found by name and source', () => {
  const file = read([reversed('1767150797.44,0,8,1149.08,99,31.07,121.11,33.453,25.0,88')], {
    header: HEADER.map(reversed),
  });
  expect([...file.fixes.lats, ...file.fixes.lons, ...file.fixes.speedsMetersPerSecond]).toEqual([
    31.07, 121.11, 33.453,
  ]);
});

test('a file without any fix is refused in words', () => {
  expect(() => read(['1767150797.42,0,,0.02,,,,,,12'])).toThrow(/no GPS positions/);
  expect(() => read([], { header: [] })).toThrow(/no table of positions/);
});

const drive = simulateDrive(KART_TRACK, {
  seed: 3,
  laps: 4,
  receiver: { rateHz: 10, timeStampStepMs: 1, coordinateDecimals: 7 },
});

test('a simulated drive comes back whole, with the lap times to a hundredth of a millisecond', () => {
  const file = readLapFile(new TextEncoder().encode(writeRaceChronoV3(drive, { sensorRateHz: 20 })));
  expect(file.fixes.length).toBeGreaterThan(1.9 * drive.fixes.length);
  expect(file.loggerLaps).toHaveLength(drive.trueLaps.length);
  for (const [index, lap] of file.loggerLaps.entries()) {
    expect(lap.number).toBe(index + 1);
    expect(Math.abs(lap.lapTimeMs - (drive.trueLaps[index]?.lapTimeMs ?? 0))).toBeLessThan(0.011);
    expect(Math.abs((lap.startTimeMs ?? 0) - (drive.trueLaps[index]?.startTimeMs ?? 0))).toBeLessThan(0.011);
  }
});

test('the export of one lap gives that lap and not its neighbours', () => {
  const file = readLapFile(new TextEncoder().encode(writeRaceChronoV3(drive, { onlyLap: 2 })));
  expect(file.loggerLaps.map((lap) => lap.number)).toEqual([2]);
});
