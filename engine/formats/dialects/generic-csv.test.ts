import { expect, test } from 'vitest';
import { simulateDrive } from '../../simulation/drive.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { writeGenericCsv } from '../../simulation/write-generic-csv.ts';
import { readLapFile } from '../recognise.ts';

function read(...lines: string[]) {
  return readLapFile(new TextEncoder().encode(lines.join('\n')));
}

test.each([
  ['time,latitude,longitude', '2026-06-21T20:43:33.040Z,48.1,11.5'],
  ['Lat.,Lon.,Timestamp (ms)', '48.1,11.5,1782074613040'],
  ['utc (ms),lat (deg),lng (deg),speed (m/s)', '1782074613040,48.1,11.5,20'],
  ['"GPS Time";"GPS Latitude (°)";"GPS Longitude (°)"', '"2026-06-21 20:43:33,040Z";"48,1";"11,5"'],
  ['gnss_lat\tgnss_lon\tunix_time', '48.1\t11.5\t1782074613.040'],
  ['Date,UTC Time,LATITUDE[degrees],LONGITUDE[degrees]', '2026-06-21,20:43:33.04,48.1,11.5'],
  [' Device Time, Longitude, Latitude, Time', ',11.5,48.1,2026-06-21T20:43:33.040Z,'],
  ['Record,Time,Latitude,Longitude,Altitude,Speed', '1,2026-06-21T20:43:33.040Z,48.1,11.5,390.6,3.4'],
])('a table headed %s is read', (header, row) => {
  const file = read(header, row);
  expect(file.format).toBe('generic-csv');
  expect(file.clock).toBe('utc');
  expect(file.fixes.timesMs[0]).toBeCloseTo(Date.parse('2026-06-21T20:43:33.040Z'), 2);
  expect([...file.fixes.lats, ...file.fixes.lons]).toEqual([48.1, 11.5]);
});

test('a time without a zone is local', () => {
  expect(read('time,lat,lon', '2026-06-21T20:43:33,48.1,11.5').clock).toBe('local');
});

test('a row of units may follow the header', () => {
  const file = read('Time,Lat,Lon,Speed', 's,deg,deg,km/h', '', '0.5,48.1,11.5,36');
  expect(file.clock).toBe('elapsed');
  expect([...file.fixes.timesMs]).toEqual([500]);
  expect(file.fixes.speedsMetersPerSecond[0]).toBeCloseTo(10, 9);
  expect(file.dropped).toEqual({});
});

test('a clock that stays the same between the rows gives way to a finer one', () => {
  const rows = Array.from(
    { length: 40 },
    (_, row) => `${row * 100},2026-06-21 20:43:${10 + Math.floor(row / 10)},48.1000${row},11.5`,
  );
  const file = read('time(millisecond),datetime(utc),latitude,longitude', ...rows);
  expect(file.clock).toBe('elapsed');
  expect(file.fixes.timesMs.slice(0, 3)).toEqual(Float64Array.of(0, 100, 200));
});

test.each([
  ['itow', 1000],
  ['iTOW (s)', 1],
  ['iTOW (s)', 1000],
  ['time of week [ms]', 1000],
])('the time of the GPS week in a column %s runs on over its end, whatever its unit', (name, perSecond) => {
  const rows = Array.from({ length: 100 }, (_, row) => {
    const seconds = (604_795 + row / 10) % 604_800;
    return `${(perSecond * seconds).toFixed(2)},48.${(100_000_0 + 270 * row).toFixed(0)},11.5`;
  });
  const { clock, fixes } = read(`${name},latitude,longitude`, ...rows);
  expect(clock).toBe('elapsed');
  expect(fixes.timesMs.length).toBe(100);
  expect((fixes.timesMs[99] ?? 0) - (fixes.timesMs[0] ?? 0)).toBeCloseTo(9900, 3);
});

test('of two equally fine clocks the one with the date is taken', () => {
  const rows = Array.from({ length: 40 }, (_, row) => `${row},2026-06-21 20:43:${10 + row},48.1${row},11.5`);
  expect(read('elapsed,datetime(utc),latitude,longitude', ...rows).clock).toBe('utc');
});

test("the receiver's speed is taken where there are several", () => {
  const file = read('time,lat,lon,Speed (mph),GPS Speed (km/h)', '0.0,48.1,11.5,99,36');
  expect(file.fixes.speedsMetersPerSecond[0]).toBeCloseTo(10, 9);
});

test('rows are dropped for a reason that is counted', () => {
  const file = read(
    'time,latitude,longitude',
    '2026-06-21T20:43:33Z,48.1,11.5',
    '2026-06-21T20:43:34Z,,',
    '2026-06-21T20:43:35Z,0,0',
    '2026-06-21T20:43:36Z,0.0001,-0.0001',
    'later,48.1,11.5',
    ',48.1,11.5',
    '2026-06-21T20:43:37Z,148.1,11.5',
    '2026-06-21T20:43:38Z,48.1,1111.5',
    'time,latitude,longitude',
    '2026-06-21T20:43:39Z,NaN,Infinity',
    '2026-06-21T20:43:40Z,48.2,11.5',
    '2026-06-21T20:43:41Z,48',
  );
  expect(file.fixes.length).toBe(2);
  expect(file.dropped).toEqual({ no_position: 4, no_time: 2, out_of_range: 2, unreadable_row: 2 });
});

test.each([
  ['beside the number', 'LATITUDE,N/S,LONGITUDE,E/W', '28.649061,S,17.896196,W'],
  ['beside a number that has its sign already', 'LATITUDE,N/S,LONGITUDE,E/W', '-28.649061,S,-17.896196,W'],
  ['behind the number', 'LATITUDE N/S,LONGITUDE E/W', '28.649061S,017.896196W'],
  ['behind the number and a blank', 'lat,lon', '28.649061 S,17.896196° w'],
  ['before the number', 'lat,lon', 'S28.649061,W 17.896196'],
])('a letter for the hemisphere may be %s', (_, header, row) => {
  const file = read(`time,${header}`, `1,${row}`);
  expect([...file.fixes.lats, ...file.fixes.lons]).toEqual([-28.649061, -17.896196]);
});

test('north and east leave the number as it is', () => {
  const { lats, lons } = read('time,lat,n/s,lon,e/w', '1,28.6,N,17.8,E', '2,28.6,N,-17.8,E').fixes;
  expect([...lats, ...lons]).toEqual([28.6, 28.6, 17.8, -17.8]);
});

test.each([
  ['Date,Time,GPS', '2026-07-25,11:18:11.160,51.178278 0.301071'],
  ['Date;Time;Position', '2026-07-25;11:18:11.160;51.178278, 0.301071'],
  ['Date,Time,Location', '2026-07-25,11:18:11.160,"51.178278;0.301071"'],
  ['Date,Time,Lat/Lon', '2026-07-25,11:18:11.160,(51.178278 0.301071)'],
])('latitude and longitude may share one cell: %s', (header, row) => {
  const file = read(header, row.replace(/[^;,]*0\.3.*$/, '-'), row, row.replace('0.301071', ''));
  expect([...file.fixes.lats, ...file.fixes.lons]).toEqual([51.178278, 0.301071]);
  expect([...file.fixes.timesMs]).toEqual([Date.parse('2026-07-25T11:18:11.160Z')]);
  expect(file.clock).toBe('local');
});

test.each([
  ['the day first, as the 14th shows', ['03/08/2016', '14/08/2016'], '2016-08-03'],
  ['the month first, as the 14th shows', ['08/03/2016', '08/14/2016'], '2016-08-03'],
  ['dots, where the day is always first', ['03.08.2016', '04.08.2016'], '2016-08-03'],
  ['the name of the month', ['03-Aug-2016', '04-AUG-2016'], '2016-08-03'],
  ['the same number for both', ['8/8/2016', '8/8/2016'], '2016-08-08'],
])('dates may be written with %s', (_, [first, second], iso) => {
  const wanted = Date.parse(`${iso}T10:00:00.500Z`);
  for (const separator of [',', ' ']) {
    const header = separator === ',' ? 'Date,Time,lat,lon' : 'Time,lat,lon';
    const rows = [first, second].map((date) => `${date}${separator}10:00:00.500,48.1,11.5`);
    const file = read(header, ...rows);
    expect(file.clock).toBe('local');
    expect(file.fixes.timesMs[0]).toBe(wanted);
  }
});

test.each([
  ['nothing shows which number is the day', ['03/08/2016', '04/08/2016']],
  ['the dates contradict each other', ['03/14/2016', '14/03/2016']],
])('where %s, only the time of day counts', (_, dates) => {
  for (const separator of [',', ' ']) {
    const header = separator === ',' ? 'Date,Time,lat,lon' : 'Time,lat,lon';
    const rows = dates.map((date, row) => `${date}${separator}10:00:0${row}.500,48.1,11.5`);
    const file = read(header, ...rows);
    expect(file.clock).toBe('time_of_day');
    expect([...file.fixes.timesMs]).toEqual([36_000_500, 36_001_500]);
  }
});

test('hours of a half day are read', () => {
  const file = read('Date,Time,lat,lon', '2026-06-21,1:34:05.25 PM,48.1,11.5');
  expect(new Date(file.fixes.timesMs[0] ?? 0).toISOString()).toBe('2026-06-21T13:34:05.250Z');
});

test('a lone dash is an empty cell', () => {
  expect(read('time,lat,lon', '1,48.1,11.5', '2,-,-').dropped).toEqual({ no_position: 1 });
});

test('a speed below zero is unknown', () => {
  expect(read('time,lat,lon,speed (m/s)', '0,48.1,11.5,-1').fixes.speedsMetersPerSecond[0]).toBeNaN();
});

test.each([
  ['latitudes without longitudes', ['time,latitude', '1,48.1'], /no column with longitudes/],
  ['positions without times', ['latitude,longitude', '48.1,11.5'], /no column with times/],
  [
    'times of an unknown name',
    ['lat,lon,wann,Speed (km/h)', '48.1,11.5,1,30'],
    /its columns are lat, lon, wann, speed, and a time is called time, timestamp/,
  ],
  [
    'positions of unknown names',
    ['time,breite,laenge', '1,48.1,11.5'],
    /its columns are time, breite, laenge, and positions are called latitude and longitude/,
  ],
  ['times in words', ['time,lat,lon', 'noon,48.1,11.5'], /no times that can be read/],
  [
    'positions in metres',
    ['time,lat,lon', '1,5298641,668412', '2,5298641,668412'],
    /not latitudes and longitudes/,
  ],
  ['a header alone', ['time,lat,lon'], /no rows/],
  ['a header with rows that are empty', ['time,lat,lon', '1,,'], /no GPS positions/],
  [
    'a column called GPS that holds no positions',
    ['Date,Time,GPS', '2026-07-25,11:18:11.160,3', '2026-07-25,11:18:12.160,4'],
    /no columns with latitudes/,
  ],
])('%s are refused in words', (_, lines, sentence) => {
  expect(() => read(...lines)).toThrow(sentence);
});

const drive = simulateDrive(KART_TRACK, {
  seed: 7,
  laps: 3,
  startTimeMs: Date.UTC(2026, 4, 16, 23, 59, 20),
  receiver: { rateHz: 10, timeStampStepMs: 1, coordinateDecimals: 7 },
});
const startMs = drive.fixes[0]?.timeMs ?? 0;
const midnightMs = Date.UTC(2026, 4, 16);

test.each([
  ['iso', 'utc', 0],
  ['iso-local', 'local', 0],
  ['epoch-s', 'utc', 0],
  ['epoch-ms', 'utc', 0],
  ['elapsed-s', 'elapsed', startMs],
  ['elapsed-ms', 'elapsed', startMs],
  ['time-of-day', 'time_of_day', midnightMs],
] as const)(
  'a simulated drive over midnight with its time as %s comes back whole',
  (clock, wanted, zeroMs) => {
    const file = readLapFile(new TextEncoder().encode(writeGenericCsv(drive, { clock })));
    expect(file.clock).toBe(wanted);
    expect(file.fixes.length).toBe(drive.fixes.length);
    for (const [index, fix] of drive.fixes.entries()) {
      expect(file.fixes.timesMs[index]).toBeCloseTo(fix.timeMs - zeroMs, 2);
      expect(file.fixes.lats[index]).toBe(fix.lat);
      expect(file.fixes.lons[index]).toBe(fix.lon);
    }
  },
);

test.each(['m/s', 'km/h', 'mph', 'unnamed-km/h'] as const)(
  'speeds in %s come back in metres per second',
  (speed) => {
    const file = readLapFile(new TextEncoder().encode(writeGenericCsv(drive, { speed, separator: ';' })));
    for (const [index, fix] of drive.fixes.entries()) {
      expect(file.fixes.speedsMetersPerSecond[index]).toBeCloseTo(fix.speedMetersPerSecond, 1);
    }
  },
);

test('a column of lap numbers gives laps as exact as the rows are', () => {
  const { loggerLaps } = readLapFile(new TextEncoder().encode(writeGenericCsv(drive, { separator: '\t' })));
  expect(loggerLaps.map((lap) => lap.number)).toEqual([1, 2, 3]);
  for (const [index, lap] of loggerLaps.entries()) {
    expect(Math.abs(lap.lapTimeMs - (drive.trueLaps[index]?.lapTimeMs ?? 0))).toBeLessThanOrEqual(100);
  }
});

test('minutes and seconds go on where a spreadsheet has lost the hours', () => {
  const { clock, fixes } = read('Time;Lat;Lon', '59:59,5;48,1;11,5', '00:00,0;48,2;11,5', '0:00.5;48,3;11,5');
  expect(clock).toBe('elapsed');
  expect([...fixes.timesMs]).toEqual([3_599_500, 3_600_000, 3_600_500]);
});

test('hours and minutes are too coarse to be the time of a fix', () => {
  expect(() => read('Time,Lat,Lon', '12:30,48.1,11.5')).toThrow('no times that can be read');
});

test('a finer clock counts before hours, minutes and whole seconds in columns of their own', () => {
  const rows = Array.from({ length: 40 }, (_, row) =>
    [90 * row, 19, 2, 50 + Math.floor(row / 11), 30.13 + row * 1e-5, -97.64].join(','),
  );
  const text = ['Timestamp,Hour,Minute,Second,Latitude,Longitude', ...rows].join('\n');
  const { clock, fixes } = readLapFile(new TextEncoder().encode(text));
  expect(clock).toBe('elapsed');
  expect([...fixes.timesMs.subarray(0, 3)]).toEqual([0, 90, 180]);
});

function clock(second: number): string {
  return new Date(Date.UTC(2026, 5, 21) + 1000 * second).toISOString();
}

test('rows of −1/−1 before the first fix are no positions and no radians', () => {
  const waiting = Array.from({ length: 400 }, (_, second) => `${clock(second)},-1,-1`);
  const driven = Array.from({ length: 20 }, (_, second) => `${clock(400 + second)},48.1${second + 10},11.5`);
  const file = read('time,lat,lon', ...waiting, ...driven);
  expect(file.dropped).toEqual({ no_position: 400 });
  expect(file.fixes.lats[0]).toBe(48.11);
});
