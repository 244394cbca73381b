import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

function read(...lines: string[]) {
  return readLapFile(new TextEncoder().encode([...lines, ''].join('\n')));
}

const HEADER =
  'GPS Time, Device Time, Longitude, Latitude,GPS Speed (Meters/second), Horizontal Dilution of Precision, Altitude,Speed (OBD)(km/h), ';

function row(second: number, gpsTime: string, millisecond = 565) {
  const device = `24-Jun-2022 20:03:${second}.${millisecond}`;
  return `${gpsTime},${device},-5.790${second}${millisecond},37.1906,10.0,3.9,95.9,99,`;
}

test('names have blanks before them, and the longitude comes first', () => {
  const file = read(HEADER, row(48, 'Fri Jun 24 20:03:47 GMT+02:00 2022'));
  expect(file.format).toBe('torque-csv');
  expect([...file.fixes.lats, ...file.fixes.lons]).toEqual([37.1906, -5.79048565]);
  expect(file.fixes.speedsMetersPerSecond[0]).toBe(10);
});

test.each([
  ['GMT+02:00', 'utc', '2022-06-24T18:03:47Z'],
  ['GMT-03:30', 'utc', '2022-06-24T23:33:47Z'],
  ['UTC', 'utc', '2022-06-24T20:03:47Z'],
  ['CEST', 'local', '2022-06-24T20:03:47Z'],
])("the receiver's time in the zone %s is %s", (zone, clock, iso) => {
  const file = read(
    HEADER,
    row(48, `Fri Jun 24 20:03:47 ${zone} 2022`),
    row(49, `Fri Jun 24 20:03:48 ${zone} 2022`),
  );
  expect(file.clock).toBe(clock);
  expect([...file.fixes.timesMs]).toEqual([Date.parse(iso), Date.parse(iso) + 1000]);
});

test('with several positions a second, the times of the device tell them apart', () => {
  const gpsTime = 'Fri Jun 24 20:03:47 GMT+02:00 2022';
  const file = read(HEADER, ...[100, 300, 500, 700, 900].map((millisecond) => row(48, gpsTime, millisecond)));
  const [first = 0, ...others] = file.fixes.timesMs;
  expect(others.map((timeMs) => timeMs - first)).toEqual([200, 400, 600, 800]);
  expect(Math.abs(first - Date.parse('2022-06-24T18:03:47Z'))).toBeLessThan(1000);
});

test('where the phone writes the time of the receiver in another way, that of the device has to do', () => {
  const file = read(HEADER, row(48, '24.06.2022'), row(49, ''));
  expect(file.clock).toBe('local');
  expect([...file.fixes.timesMs]).toEqual(
    [48.565, 49.565].map((s) => Date.parse('2022-06-24T20:03:00Z') + s * 1000),
  );
});

test('the header comes again after a restart, and a dash is no value', () => {
  const gpsTime = 'Fri Jun 24 20:03:47 GMT+02:00 2022';
  const file = read(HEADER, row(48, gpsTime), HEADER, `${gpsTime},24-Jun-2022 20:03:49.0,-,-,-,-,-,40,`);
  expect(file.fixes.length).toBe(1);
  expect(file.dropped).toEqual({ unreadable_row: 1, no_position: 1 });
});
