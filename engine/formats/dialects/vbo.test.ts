import { expect, test } from 'vitest';
import { simulateDrive } from '../../simulation/drive.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { writeVbo } from '../../testing/write-vbo.ts';
import { openFixes, timeLaps, timeOnOwnLine } from '../../time-lap-file.ts';
import { readLapFile } from '../recognise.ts';

function read(lines: string[], encoding: 'utf8' | 'latin1' = 'utf8') {
  return readLapFile(Buffer.from([...lines, ''].join('\r\n'), encoding));
}

const HEADER = ['[header]', 'satellites', 'time', 'latitude', 'longitude', 'velocity kmh', ''];
const NAMES = ['[column names]', 'sats time lat long velocity heading height', '', '[data]'];
const EASTERN_ROW = '025 062826.960 +2494.230660 -2696.940660 036.000 238.05 +00398.60';

test('latitude and longitude are minutes in all, and west is positive', () => {
  const east = read([...HEADER, ...NAMES, EASTERN_ROW]);
  expect(east.format).toBe('vbo');
  expect(east.fixes.lats[0]).toBeCloseTo(41.570511, 9);
  expect(east.fixes.lons[0]).toBeCloseTo(44.949011, 9);
  const west = read([
    ...HEADER,
    ...NAMES,
    '011 165701.65 +2092.47972273 +07095.50623008 102.600 288.10 +00740.00',
  ]);
  expect(west.fixes.lons[0]).toBeCloseTo(-118.258437168, 9);
});

test('decimal commas are read like points', () => {
  const pointed = read([...HEADER, ...NAMES, EASTERN_ROW]);
  expect(read([...HEADER, ...NAMES, EASTERN_ROW.replaceAll('.', ',')])).toEqual(pointed);
});

test('empty cells of a spreadsheet behind the lines are none of the names', () => {
  const plain = read([...HEADER, ...NAMES, EASTERN_ROW]);
  const filled = [...HEADER, ...NAMES, EASTERN_ROW].map((line) => (line === '[data]' ? line : `${line},,,`));
  expect(read(filled)).toEqual(plain);
});

test('minutes are recognised by their zeros where they are as small as degrees', () => {
  const file = read([
    ...HEADER,
    ...NAMES,
    '011 165701.65 +00052.47972 +00099.51333 102.600 288.10 +00740.00',
  ]);
  expect(file.fixes.lats[0]).toBeCloseTo(0.874662, 6);
  expect(file.fixes.lons[0]).toBeCloseTo(-1.658555, 6);
});

test('degrees, which converters write, have east positive', () => {
  const file = read([...HEADER, ...NAMES, '011 165701.65 41.570511 44.949011 102.600 288.10 740']);
  expect([file.fixes.lats[0], file.fixes.lons[0]]).toEqual([41.570511, 44.949011]);
});

test('the columns are found by name: RaceBox has the satellites last and calls the longitude lng', () => {
  const file = read([
    '[column names]',
    'time lat lng velocity heading height LongAcc sats',
    '[data]',
    '113221.00 +02743.97317 -000784.38007 005.036 086.14 +00004.37 -0.930 0',
    '113221.04 +02743.97317 -000784.38012 005.342 086.96 +00004.38 -0.957 16',
  ]);
  expect(file.fixes.length).toBe(2);
  expect(file.fixes.lons[0]).toBeCloseTo(13.073001, 6);
  expect(file.fixes.timesMs[0]).toBe(((11 * 60 + 32) * 60 + 21) * 1000);
});

test.each([
  [
    'rows may lack the satellites that the names declare',
    [...HEADER, ...NAMES],
    '062826.960 +2494.230660 -2696.940660 036.000 238.05 398.60',
  ],
  ['without names, the order is that of the header', [...HEADER, '[data]'], EASTERN_ROW],
  ['without a header either, the order is that of Racelogic', ['[data]'], EASTERN_ROW],
  [
    'blank lines after [data] and more blanks between the words change nothing',
    [...HEADER, ...NAMES, '', ''],
    EASTERN_ROW.replaceAll(' ', '   '),
  ],
])('%s', (_, before, row) => {
  const { fixes } = read([...before, row]);
  expect([fixes.timesMs[0], fixes.lats[0], fixes.lons[0]]).toEqual([
    23_306_960,
    expect.closeTo(41.570511, 9),
    expect.closeTo(44.949011, 9),
  ]);
  expect(fixes.speedsMetersPerSecond[0]).toBeCloseTo(10, 9);
});

test('old loggers give the speed in knots, and say so in the header', () => {
  const file = read(['[header]', 'velocity knots', ...NAMES, EASTERN_ROW]);
  expect(file.fixes.speedsMetersPerSecond[0]).toBeCloseTo(18.52, 9);
});

test('satellites with marks, negative headings and numbers with an exponent are no matter', () => {
  const file = read([
    ...HEADER,
    ...NAMES,
    '137 162235.40 +03119.09973 +00058.49277 000.140 -101.20 -1.269374E-04',
  ]);
  expect(file.fixes.length).toBe(1);
});

test('rows before the first fix, cut off rows and times that are none are counted', () => {
  const file = read([
    ...HEADER,
    ...NAMES,
    '000 062826.900 +00000.000000 +00000.000000 000.000 000.00 +00000.00',
    EASTERN_ROW,
    EASTERN_ROW.replace('062826', '066126'),
    '025 062827.000 +2494.23',
  ]);
  expect(file.dropped).toEqual({ no_position: 1, no_time: 1, unreadable_row: 1 });
});

test('times go on over midnight', () => {
  const [last = '', first = ''] = ['235959.900', '000000.100'].map((time) =>
    EASTERN_ROW.replace('062826.960', time),
  );
  const { timesMs } = read([...HEADER, ...NAMES, last, first]).fixes;
  expect((timesMs[1] ?? 0) - (timesMs[0] ?? 0)).toBe(200);
});

test.each([
  ['by the logger', ['File created on 17/01/2026 @ 06:28'], 'utc', '2026-01-17'],
  ['a little before the first row', ['File created on 17/01/2026 at 06:20:54'], 'utc', '2026-01-17'],
  ['in the night before', ['File created on 16/01/2026 @ 23:59'], 'time_of_day', undefined],
  ['when the session was exported', ['File created on 24/08/2026 at 22:17:30'], 'time_of_day', undefined],
  [
    'and among the comments as well',
    ['File created on 24/08/2026 @ 22:17', '[comments]', 'UTC Date Started: 17/01/2026 06:28'],
    'utc',
    '2026-01-17',
  ],
  ['nowhere', [], 'time_of_day', undefined],
] as const)('the date that is written %s', (_, lines, clock, day) => {
  const file = read([...lines, ...HEADER, ...NAMES, EASTERN_ROW]);
  expect(file.clock).toBe(clock);
  if (day !== undefined)
    expect(new Date(file.fixes.timesMs[0] ?? 0).toISOString()).toBe(`${day}T06:28:26.960Z`);
});

test('windows-1252 in the header is read', () => {
  const file = read(['[channel units]', '°C', ...HEADER, ...NAMES, EASTERN_ROW], 'latin1');
  expect(file.fixes.length).toBe(1);
});

test('what RaceChrono says of the receiver is kept, though its rows are ten a second', () => {
  const file = read([
    '[column names]',
    'sats time lat long velocity device_update_rate device_update_rate-calc',
    '[data]',
    '016 090358.20 +2689.899660 -00673.458530 009.310 +025.000 +020.000',
  ]);
  expect(file.receiverRateHz).toBe(25);
});

test('a file without data is refused in words', () => {
  expect(() => read([...HEADER, ...NAMES.slice(0, 2)])).toThrow(/no rows of data/);
});

const drive = simulateDrive(KART_TRACK, { seed: 3, laps: 3, receiver: { rateHz: 25, timeStampStepMs: 1 } });

test('stamps that RaceBox has cut by a hundredth get it back', () => {
  const cut = drive.fixes.map((fix, index) => ({ ...fix, timeMs: fix.timeMs - (index % 9 === 4 ? 10 : 0) }));
  const file = readLapFile(Buffer.from(writeVbo({ ...drive, fixes: cut }, { writer: 'racebox' })));
  expect([...file.fixes.timesMs]).toEqual(drive.fixes.map((fix) => fix.timeMs));
});

test('stamps that are uneven in another way stay as they are', () => {
  const uneven = drive.fixes.map((fix, index) => ({ ...fix, timeMs: fix.timeMs + ((index * 7) % 3) * 10 }));
  const file = readLapFile(Buffer.from(writeVbo({ ...drive, fixes: uneven })));
  expect([...file.fixes.timesMs]).toEqual(uneven.map((fix) => fix.timeMs));
});

test.each(['racechrono', 'racebox'] as const)(
  'laps are timed on the line in the file, as %s writes it',
  (writer) => {
    const file = readLapFile(Buffer.from(writeVbo(drive, { writer, track: KART_TRACK })));
    const { laps } = timeOnOwnLine(openFixes(file));
    expect(laps.map((lap) => lap.status)).toEqual(['valid', 'valid', 'valid']);
    for (const [index, lap] of laps.entries())
      expect(Math.abs(lap.lapTimeMs - (drive.trueLaps[index]?.lapTimeMs ?? 0))).toBeLessThan(5);
    const passedMs = (laps[0]?.startTimeMs ?? 0) - (drive.trueLaps[0]?.startTimeMs ?? 0);
    expect(Math.abs(passedMs)).toBeLessThan(5);
  },
);

test('the line in the file serves where the track has none', () => {
  const file = openFixes(readLapFile(Buffer.from(writeVbo(drive, { track: KART_TRACK }))));
  const bare = { ...KART_TRACK, startFinishLine: null };
  expect(timeLaps(file, bare).laps.map((lap) => lap.status)).toEqual(['valid', 'valid', 'valid']);
  expect(timeLaps({ ...file, startFinishLine: null }, bare).laps).toEqual([]);
});

test('the line of a hill climb, with a finish of its own, is no line of laps', () => {
  const text = writeVbo(drive, { writer: 'racebox', track: KART_TRACK });
  const finish = text.replace(
    /^(Start .*)$/m,
    '$1\r\nFinish  +02886.0 -00696.0 +02886.01 -00696.01 ¬ Finish',
  );
  expect(readLapFile(Buffer.from(finish)).startFinishLine).toBeNull();
});

test('a line that is never passed is none', () => {
  const elsewhere = writeVbo(drive, { writer: 'racebox' }).replace(
    '[column names]',
    '[laptiming]\r\nStart +02900.0 -00700.0 +02900.01 -00700.0\r\n[column names]',
  );
  expect(readLapFile(Buffer.from(elsewhere)).startFinishLine).toBeNull();
});
