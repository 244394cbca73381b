import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

function read(...lines: string[]) {
  return readLapFile(new TextEncoder().encode([...lines, ''].join('\n')));
}

function readV1(created: string, ...rows: string[]) {
  return read(
    'This file is created using RaceChrono v10.2.3 ( http://racechrono.com/ ).',
    '',
    'Session title,"Ring"',
    created,
    '',
    'Lap #,Timestamp (s),Distance (m),Latitude (deg),Longitude (deg),Speed (m/s),Speed (km/h),Trap name',
    ...rows,
  );
}

const V1_ROWS = [
  'N/A,61164.000,130.0,47.3829100,18.2196700,11.0,39.6,',
  '1,61165.891,132.7,47.3829700,18.2196308,11.27,40.56,New trap',
  '1,61166.000,133.0,47.3829800,18.2196208,11.30,40.68,',
  '1,61167.123,140.0,47.3830800,18.2195208,11.40,41.04,New trap (1)',
  '1,61171.000,150.0,47.3831800,18.2194208,11.50,41.40,',
  '2,61171.879,160.0,47.3832729,18.2193391,12.43,44.73,New trap',
  '2,61172.000,161.0,47.3833729,18.2193291,12.43,44.73,',
];

test('version 1 gets its date from the preamble and its laps from the rows at the start line', () => {
  const file = readV1('Created,13/07/2026,16:58', ...V1_ROWS);
  const midnightMs = Date.UTC(2026, 6, 13);
  expect(file.format).toBe('racechrono-csv-v1');
  expect(file.clock).toBe('utc');
  expect(file.fixes.timesMs[0]).toBe(midnightMs + 61_164_000);
  expect(file.fixes.speedsMetersPerSecond[1]).toBe(11.27);
  expect(file.loggerLaps).toMatchObject([
    { number: 1, lapTimeMs: 5988, startTimeMs: midnightMs + 61_165_891 },
  ]);
});

test.each([
  ['no date', 'Note,'],
  ['a date whose time does not fit the rows', 'Created,13/07/2026,05:00'],
])('version 1 with %s has only the time of day', (_, created) => {
  const file = readV1(created, ...V1_ROWS);
  expect(file.clock).toBe('time_of_day');
  expect(file.fixes.timesMs[0]).toBe(61_164_000);
});

test('a session that begins before midnight and is driven after it has the date of the driving', () => {
  const file = readV1(
    'Created,13/07/2026,23:50',
    'N/A,600.000,0,47.1,18.1,1,3.6,',
    'N/A,601.000,0,47.2,18.1,1,3.6,',
  );
  expect(file.fixes.timesMs[0]).toBe(Date.UTC(2026, 6, 14, 0, 10));
});

test('a drive over midnight goes on after it', () => {
  const file = readV1(
    'Created,13/07/2026,23:50',
    'N/A,86399.500,0,47.1,18.1,1,3.6,',
    'N/A,0.500,0,47.2,18.1,1,3.6,',
  );
  expect(Array.from(file.fixes.timesMs)).toEqual([
    Date.UTC(2026, 6, 13, 23, 59, 59, 500),
    Date.UTC(2026, 6, 14, 0, 0, 0, 500),
  ]);
});

function readV2(...rows: string[]) {
  return read(
    'This file is created using RaceChrono Pro v9.1.3 ( http://racechrono.com/ ).',
    'Format,2,"Format 1 = static columns","Format 2 = new format with dynamic columns"',
    'Session title,"Hill"',
    '',
    'Speed (m/s) *obd,Time (s),Session fragment #,Lap #,Trap name,Speed (m/s),Latitude (deg),Longitude (deg),Speed (m/s) *calc',
    ...rows,
  );
}

test('version 2 ends a run on a hill at the finish, with the speed of the receiver', () => {
  const file = readV2(
    '99,1768663894.900,0,,,5.4,32.0854840,-81.0744025,99',
    '99,1768663894.930,0,4,New trap,5.5,32.0854850,-81.0744025,99',
    '99,1768663899.100,0,4,,12.5,32.0855000,-81.0745000,99',
    '99,1768663904.792,0,4,New trap (1),21.3,32.0855484,-81.0755912,99',
    '99,1768663904.799,0,,,21.4,32.0855485,-81.0755928,99',
  );
  expect(file.format).toBe('racechrono-csv-v2');
  expect(file.clock).toBe('utc');
  expect(Array.from(file.fixes.speedsMetersPerSecond)).toEqual([5.4, 5.5, 12.5, 21.3, 21.4]);
  expect(file.loggerLaps).toMatchObject([{ number: 4, lapTimeMs: 9862, startTimeMs: 1_768_663_894_930 }]);
});

test('a new fragment of the session ends what came before', () => {
  const file = readV2(
    '9,1768663890.0,0,1,,5,32.1,-81.1,9',
    '9,1768663891.0,0,2,,5,32.2,-81.1,9',
    '9,1768663892.0,1,2,,5,32.3,-81.1,9',
    '9,1768663893.0,1,3,,5,32.4,-81.1,9',
    '9,1768663894.0,1,4,,5,32.5,-81.1,9',
  );
  expect(file.loggerLaps.map((lap) => lap.number)).toEqual([3]);
});

test.each(['', 'Format,2\n'])('a file without positions is refused in words', (format) => {
  expect(() => read(`This file is created using RaceChrono v9\n${format}`, 'Lap #,Time (s)', '1,2')).toThrow(
    /no table of positions/,
  );
});

test('older writers of version 1 have one speed only, in kph', () => {
  const file = readLapFile(
    new TextEncoder().encode(
      [
        'This file is created using RaceChrono v1.41',
        '',
        'Created,13/07/2026,16:58',
        '',
        'Lap #,Timestamp (s),Latitude (deg),Longitude (deg),Speed (kph),Trap name',
        'N/A,61141.000,47.3820367,18.2202700,36.00,',
      ].join('\n'),
    ),
  );
  expect(file).toMatchObject({ format: 'racechrono-csv-v1', clock: 'utc' });
  expect(file.fixes.speedsMetersPerSecond[0]).toBeCloseTo(10, 9);
});
