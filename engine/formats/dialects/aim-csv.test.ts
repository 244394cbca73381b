import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

function read(...lines: string[]) {
  return readLapFile(new TextEncoder().encode([...lines, ''].join('\n')));
}

const TABLE = [
  '',
  '"Time","GPS Speed","GPS Latitude","GPS Longitude"',
  '"s","km/h","deg","deg"',
  '',
  '"0.000","36.0","45.0453","12.1490"',
  '"0.050","36.0","45.0454","12.1490"',
];

function aim(preamble: string[], table = TABLE) {
  return read('"Format","AiM CSV File"', ...preamble, ...table);
}

const MARKERS = '"Beacon Markers","19.115","82.251","135.341","180.000"';
const LAPS = [
  { number: 1, lapTimeMs: 63_136, startTimeMs: 19_115 },
  { number: 2, lapTimeMs: 53_090, startTimeMs: 82_251 },
];

test('the laps lie between the beacon markers: the first ends the out lap, the last is the end of the recording', () => {
  const file = aim([
    '"Duration","180.000"',
    MARKERS,
    '"Segment Times","0:19.115","1:03.136","0:53.090","0:44.659"',
  ]);
  expect(file.format).toBe('aim-csv');
  expect(file.loggerLaps).toMatchObject(LAPS);
});

test('a last marker before the end of the recording is a pass like any other', () => {
  expect(aim(['"Duration","190.5"', MARKERS]).loggerLaps).toHaveLength(3);
});

test('a marker that cannot be read leaves no laps, because two would become one', () => {
  expect(aim(['"Duration","180.000"', MARKERS.replace('82.251', '8.2251E+01')]).loggerLaps).toEqual([]);
});

test('Race Studio 2 writes all markers into one cell, and its name in capitals', () => {
  const file = read(
    '"Format","AIM CSV File"',
    '"Duration","3:00.000"',
    '"Beacon Markers"," 19.115  82.251 135.341  180.0"',
    ...TABLE,
  );
  expect(file.loggerLaps).toMatchObject(LAPS);
});

test.each([
  ['Race Studio', '"Date","Sunday, December 15, 2024"', '"Time","1:34 PM"', '2024-12-15T13:34:00.000Z'],
  ['a spreadsheet', '"Date","15.12.2024"', '"Time","13:34:05"', '2024-12-15T13:34:05.000Z'],
])(
  'the rows count from the start in the preamble, as %s writes it, in an unknown time zone',
  (_, date, time, iso) => {
    const file = aim([date, time, '"Duration","180.000"', MARKERS]);
    expect(file.clock).toBe('local');
    expect([...file.fixes.timesMs]).toEqual([Date.parse(iso), Date.parse(iso) + 50]);
    expect(file.loggerLaps[0]?.startTimeMs).toBe(Date.parse(iso) + 19_115);
  },
);

test.each([['"Date","03/04/2024"'], ['"Date","dimanche 15 décembre 2024"'], ['"Date",""']])(
  'with %s the day is unknown, and the rows count from the start',
  (date) => {
    const file = aim([date, '"Time","1:34 PM"']);
    expect(file.clock).toBe('elapsed');
    expect([...file.fixes.timesMs]).toEqual([0, 50]);
  },
);

test('what a spreadsheet has saved again is read: no quotes, rows filled up, times rewritten', () => {
  const file = read(
    '\ufeffFormat,AiM CSV File,,,,,',
    'Date,"Sunday, December 15, 2024",,,,,',
    'Time,1:34 PM,,,,,',
    'Duration,180,,,,,',
    'Beacon Markers,19.115,82.251,135.341,180,,',
    'Segment Times,00:19.1,01:03.1,00:53.1,00:44.7,,',
    ',,,,,,',
    'Time,GPS Speed,GPS Nsat,GPS Latitude,GPS Longitude,,',
    's,km/h, ,deg,deg,,',
    ',,,,,,',
    '0,36,13,45.0453,12.149,,',
    '0.05,36,13,45.0454,12.149,,',
  );
  expect(file.fixes.length).toBe(2);
  expect(file.dropped).toEqual({});
  expect(file.fixes.speedsMetersPerSecond[0]).toBeCloseTo(10, 9);
  expect(file.loggerLaps.map(({ lapTimeMs }) => lapTimeMs)).toEqual([63_136, 53_090]);
});

test('semicolons go with decimal commas, in the markers as well', () => {
  const file = read(
    'Format;AiM CSV File',
    'Duration;180,000',
    'Beacon Markers;19,115;82,251;135,341;180,000',
    '',
    'Time;GPS_Speed;GPS_Latitude;GPS_Longitude',
    's;mph;deg;deg',
    '0,500;10,0;45,0453;-12,1490',
  );
  expect([...file.fixes.timesMs, ...file.fixes.lats, ...file.fixes.lons]).toEqual([500, 45.0453, -12.149]);
  expect(file.fixes.speedsMetersPerSecond[0]).toBeCloseTo(4.4704, 9);
  expect(file.loggerLaps).toMatchObject(LAPS);
});

test('the row of units may be missing', () => {
  const file = aim([], ['', 'Time,GPS Speed,GPS Lat,GPS Lon', '0.00,36,45.0453,12.1490']);
  expect(file.fixes.length).toBe(1);
});

test('without markers a column of lap numbers gives the laps', () => {
  const rows = [0, 1, 1, 2].map((lap, second) => `${second * 5},36,45.04${second},12.1490,${lap}`);
  const file = aim([], ['Time,GPS Speed,GPS Latitude,GPS Longitude,Lap Number', 's,km/h,deg,deg,#', ...rows]);
  expect(file.loggerLaps).toMatchObject([{ number: 1, lapTimeMs: 10_000, startTimeMs: 5000 }]);
});

test('an export without GPS channels is refused in words', () => {
  expect(() => aim([], ['', '"Time","RPM"', '"s","rpm"', '"0.000","900"'])).toThrow(
    /AiM file has no columns with GPS/,
  );
});

test.each([
  ['"Beacon Markers","NaN","-5","1e9","","x"'],
  ['"Beacon Markers"'],
  ['"Beacon Markers","5","5","5"'],
])('markers that are none give no laps: %s', (markers) => {
  expect(aim(['"Duration","180.000"', markers]).loggerLaps).toEqual([]);
});

test('a hostile number of markers costs no memory', () => {
  const markers = Array.from({ length: 300_000 }, (_, index) => index).join(' ');
  expect(aim(['"Duration","400000"', `"Beacon Markers","${markers}"`]).loggerLaps.length).toBeLessThan(
    20_000,
  );
});

test('units whose degree signs were garbled on the way, and a separator behind the last cell, are no matter', () => {
  const file = aim(
    [],
    [
      'Time,GPS Speed,GPS Latitude,GPS Longitude,Water Temp,',
      's,m/s,deg,deg,\u00c2\u00b0C,',
      '',
      '0.00,10,45.0453,12.1490,55,',
    ],
  );
  expect(file.fixes.length).toBe(1);
  expect(file.fixes.speedsMetersPerSecond[0]).toBe(10);
});
