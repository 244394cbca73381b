import { expect, test } from 'vitest';
import { UnreadableLapFileError } from '../../lap-file.ts';
import { simulateDrive } from '../../simulation/drive.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { openLapFile, timeLaps } from '../../time-lap-file.ts';
import { timeLabel } from '../../simulation/drive-samples.ts';
import { readLapFile } from '../recognise.ts';

const CUSTOM = 'Record,Time,Latitude,Longitude,Altitude,Speed,GForceX,GForceY,GForceZ,Lap,GyroX,GyroY,GyroZ';
const BLOCK = [
  'Format,RaceBox CSV',
  'Data Source,RaceBox 1000000001',
  'Date UTC,2026-08-10T17:16:45+00:00',
  'Time,05/16/45',
  'Session Index,1',
  'Track,Talkurs',
  'Configuration,Grand Prix',
  'Laps,3',
  'Best Lap Time,89.500',
  'Lap 1, 16.000, sectors, 0,0,0,0,16.000',
  'Lap 2, 90.000, sectors, 30.000,25.000,20.000,0,15.000',
  'Lap 3, 89.500, sectors, 30.000,25.000,20.000,0,14.500',
  '',
];

function read(...lines: string[]) {
  return readLapFile(Buffer.from([...lines, ''].join('\r\n')));
}

function row(time: string, lap = 0) {
  return `1,${time},35.7516169,-82.86978${lap}1,2403.2,36.0,0.050,0.061,0.991,${lap},-7.49,3.09,0.38`;
}

test.each([
  ['UTC', '2026-07-26T19:18:58.880Z', 'utc', Date.UTC(2026, 6, 26, 19, 18, 58, 880)],
  ['local', '2026-07-26T15:18:58.880', 'local', Date.UTC(2026, 6, 26, 15, 18, 58, 880)],
  ['of the recording', '0.040', 'elapsed', 40],
  ['of the GPS week', '123456.040', 'elapsed', 123_456_040],
])('the time may be %s', (_, time, clock, timeMs) => {
  const file = read(CUSTOM, row(time));
  expect(file).toMatchObject({ format: 'racebox-csv', clock });
  expect(file.fixes.timesMs[0]).toBe(timeMs);
});

test('seconds of the GPS week restart in the night to Sunday', () => {
  const { timesMs } = read(CUSTOM, row('604799.960'), row('604800.000'.replace('604800', '0'))).fixes;
  expect((timesMs[1] ?? 0) - (timesMs[0] ?? 0)).toBeCloseTo(40, 6);
});

test.each([
  ['seconds', 1],
  ['milliseconds', 1000],
])('a drive over the end of the GPS week is timed by its %s', (_, perSecond) => {
  const drive = simulateDrive(KART_TRACK, { seed: 3, laps: 2, receiver: { timeStampStepMs: 1 } });
  const startMs = drive.fixes[0]?.timeMs ?? 0;
  const rows = drive.fixes.map(({ timeMs, lat, lon, speedMetersPerSecond }) => {
    const secondOfWeek = (604_760 + (timeMs - startMs) / 1000) % 604_800;
    const speed = (3.6 * speedMetersPerSecond).toFixed(2);
    return `1,${(perSecond * secondOfWeek).toFixed(3)},${lat.toFixed(7)},${lon.toFixed(7)},390,${speed},0,0,1,0,0,0,0`;
  });
  const { laps } = timeLaps(openLapFile(Buffer.from([CUSTOM, ...rows].join('\n'))), KART_TRACK);
  expect(laps.map(({ status }) => status)).toEqual(['valid', 'valid']);
  for (const [index, { lapTimeMs }] of laps.entries())
    expect(lapTimeMs).toBeCloseTo(drive.trueLaps[index]?.lapTimeMs ?? 0, -1);
});

test('the block in front gives the start and the official laps; a part of a lap is none', () => {
  const file = read(
    ...BLOCK,
    CUSTOM,
    row('0.000', 1),
    row('16.040', 2),
    row('106.000', 2),
    row('106.040', 3),
    row('195.520', 3),
    row('195.560', 0),
  );
  expect(file.clock).toBe('utc');
  const startMs = Date.UTC(2026, 7, 10, 17, 16, 45);
  expect(file.fixes.timesMs[0]).toBe(startMs);
  expect(file.loggerLaps).toMatchObject([
    { number: 2, lapTimeMs: 90_000, startTimeMs: startMs + 16_040 },
    { number: 3, lapTimeMs: 89_500, startTimeMs: startMs + 106_040 },
  ]);
});

test('without a block the column of lap numbers marks the laps, to a row', () => {
  const rows = [0, 1, 1, 0, 2, 2, 0].map((lap, index) => row(`${index}.0`, lap));
  expect(read(CUSTOM, ...rows).loggerLaps.map((lap) => [lap.number, lap.lapTimeMs])).toEqual([
    [1, 2000],
    [2, 2000],
  ]);
});

test.each([
  [
    'bike mode',
    'Record,Time,Latitude,Longitude,Altitude,Speed,GForceX,GForceZ,Lap,LeanAngle,GyroX,GyroY,GyroZ',
    '1,0.0,35.75,-82.86,2403,10,0.05,0.9,0,0.0,-7.4,3.0,0.3',
    NaN,
  ],
  [
    'RaceRenderer',
    'Record,Time,Latitude,Longitude,Altitude,KPH,X,Y,Z,Lap,GyroX,GyroY,GyroZ',
    '1,0.0,35.75,-82.86,2403,36.0,0.05,0.06,0.9,0,-7.4,3.0,0.3',
    10,
  ],
  [
    'Telemetry Overlay',
    'Record,Time,Latitude,Longitude,Altitude (m),Speed (m/s),GForceX (g),GForceY (g),GForceZ (g),Lap,Heading,GyroX (deg/s)',
    '1,0.0,35.75,-82.86,732,10.0,0.05,0.06,0.9,0,86.1,-7.4',
    10,
  ],
  [
    'FastLap',
    'Time,Latitude,Longitude,Altitude,Speed,GForceX,GForceY,GForceZ,Lap,GyroX,GyroY,GyroZ',
    '0.0,35.75,-82.86,2403,10,0.05,0.06,0.9,0,-7.4,3.0,0.3',
    NaN,
  ],
])('the preset for %s is read, and its speed where the unit is known', (_, header, line, speed) => {
  const file = read(header, line);
  expect(file.format).toBe('racebox-csv');
  expect(file.fixes.speedsMetersPerSecond[0]).toEqual(speed);
});

test('positions of 0/0 after a lost fix are counted', () => {
  const lost = row('1.0').replace('35.7516169,-82.8697801', '0.0000000,0.0000000');
  expect(read(CUSTOM, row('0.0'), lost).dropped).toEqual({ no_position: 1 });
});

test('KML that is called .csv is refused as KML', () => {
  const kml =
    '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document/></kml>';
  expect(() => read(kml)).toThrow(UnreadableLapFileError);
  expect(() => read(kml)).toThrow(/KML/);
});

const drive = simulateDrive(KART_TRACK, { seed: 9, laps: 2, receiver: { rateHz: 25, timeStampStepMs: 1 } });

test.each([
  ['km/h', 3.6],
  ['mph', 2.236936],
  ['m/s', 1],
])('speeds in %s, which the file does not tell, come out as metres per second', (_, factor) => {
  const rows = drive.fixes.map(({ timeMs, lat, lon, speedMetersPerSecond }, index) =>
    [
      index + 1,
      `${timeLabel(timeMs)}Z`,
      lat.toFixed(7),
      lon.toFixed(7),
      0,
      (speedMetersPerSecond * factor).toFixed(2),
      0,
      0,
      1,
      0,
      0,
      0,
      0,
    ].join(','),
  );
  const { fixes } = read(CUSTOM, ...rows);
  for (const [index, fix] of drive.fixes.entries())
    expect(fixes.speedsMetersPerSecond[index]).toBeCloseTo(fix.speedMetersPerSecond, 1);
});
