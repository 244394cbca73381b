import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

function read(...lines: string[]) {
  return readLapFile(new TextEncoder().encode([...lines, ''].join('\n')));
}

const QSTARZ = 'INDEX,RCR,DATE,TIME,VALID,LATITUDE,N/S,LONGITUDE,E/W,HEIGHT,SPEED,HEADING,DISTANCE,';
const COLUMBUS = 'INDEX,TAG,DATE,TIME,LATITUDE N/S,LONGITUDE E/W,HEIGHT,SPEED,HEADING,VOX';

test('Qstarz: letters beside the numbers, units in the cells, ISO dates in UTC', () => {
  const file = read(
    QSTARZ,
    '3656,T,2010/12/09,10:59:05,SPS,28.649061,S,17.896196,W,513.863 M,36.0 km/h,178.240250,34.60 M,',
    '3657,T,2010/12/09,10:59:05.200,DGPS,-28.649062,S,-17.896196,W,513.863 M,36 km/h,178.240250,34.60 M,',
  );
  expect(file.format).toBe('qstarz-csv');
  expect(file.clock).toBe('utc');
  const startMs = Date.parse('2010-12-09T10:59:05Z');
  expect([...file.fixes.timesMs]).toEqual([startMs, startMs + 200]);
  expect([...file.fixes.lats, ...file.fixes.lons]).toEqual([-28.649061, -28.649062, -17.896196, -17.896196]);
  expect([...file.fixes.speedsMetersPerSecond].map((speed) => speed.toFixed(6))).toEqual([
    '10.000000',
    '10.000000',
  ]);
});

test('Qstarz: rows without a fix and marks without a time are counted', () => {
  const file = read(
    QSTARZ,
    '1,T,2010/12/09,10:59:05,NO FIX,28.649061,N,17.896196,W,0 M,0 km/h,0,0 M,',
    '2,B,,,SPS,28.649061,N,17.896196,W,0 M,0 km/h,0,0 M,',
    '3,T,2010/12/09,10:59:06,SPS,28.649061,N,17.896196,W,0 M,0 km/h,0,0 M,',
  );
  expect(file.fixes.length).toBe(1);
  expect(file.dropped).toEqual({ no_position: 1, no_time: 1 });
});

test('Qstarz: milliseconds may be in a column of their own', () => {
  const file = read(
    'INDEX,UTC DATE,UTC TIME,MS,VALID,LATITUDE,N/S,LONGITUDE,E/W,SPEED',
    '1,2010/12/09,10:59:05,400,SPS,28.649061,N,17.896196,E,36.0 km/h',
  );
  expect(file.format).toBe('qstarz-csv');
  expect([...file.fixes.timesMs]).toEqual([Date.parse('2010-12-09T10:59:05.400Z')]);
});

test('Columbus: letters behind the numbers, digits for date and time, cells filled up with zero bytes', () => {
  const file = read(
    COLUMBUS,
    '1\0\0\0\0\0,T,090421,061051,47.797120N\0,013.049595W,524\0\0,36\0\0\0,0\0\0,\0\0\0\0\0\0\0\0\0',
    '2     ,T,090421,061052.5,47.797121S,013.049595E,524  ,36  ,0  ,         ',
  );
  expect(file.format).toBe('columbus-csv');
  expect([...file.fixes.timesMs]).toEqual(
    ['06:10:51', '06:10:52.500'].map((time) => Date.parse(`2009-04-21T${time}Z`)),
  );
  expect([...file.fixes.lats, ...file.fixes.lons]).toEqual([47.79712, -47.797121, -13.049595, 13.049595]);
  expect(file.fixes.speedsMetersPerSecond[0]).toBeCloseTo(10, 9);
});

test('Columbus: a date that does not exist is no time', () => {
  expect(() => read(COLUMBUS, '1,T,091341,061051,47.797120N,013.049595W,524,36,0,')).toThrow(
    /no times that can be read/,
  );
});

test('Qstarz: a spreadsheet puts semicolons between the cells', () => {
  const file = readLapFile(
    new TextEncoder().encode(
      'INDEX;RCR;DATE;TIME;VALID;LATITUDE;N/S;LONGITUDE;E/W;HEIGHT;SPEED\n1;T;2009/04/21;06:10:51;SPS;28.649061;N;17.896196;W;99,859 m;36,000 km/h\n',
    ),
  );
  expect(file).toMatchObject({ format: 'qstarz-csv', clock: 'utc' });
  expect([file.fixes.lons[0], file.fixes.speedsMetersPerSecond[0]]).toEqual([-17.896196, 10]);
});
