import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

function read(...lines: string[]) {
  return readLapFile(Buffer.from([...lines, ''].join('\r\n')));
}

/** Returns a sentence with its checksum. */
function sentence(text: string): string {
  const sum = [...text].reduce((total, character) => total ^ character.charCodeAt(0), 0);
  return `$${text}*${sum.toString(16).toUpperCase().padStart(2, '0')}`;
}

const rmc = (time: string, date = '231125', minutes = '24.64918', talker = 'GP') =>
  sentence(`${talker}RMC,${time},A,28${minutes},N,08122.75706,W,19.438,,${date},,,A`);
const gga = (time: string, minutes = '24.64918') =>
  sentence(`GPGGA,${time},28${minutes},N,08122.75706,W,1,04,4.27,47.8,M,-29.2,M,,`);

test('degrees and minutes, knots and the date of RMC', () => {
  const file = read(rmc('170130.56'));
  expect(file).toMatchObject({ format: 'nmea', clock: 'utc' });
  expect(new Date(file.fixes.timesMs[0] ?? 0).toISOString()).toBe('2025-11-23T17:01:30.560Z');
  expect(file.fixes.lats[0]).toBeCloseTo(28.410819667, 8);
  expect(file.fixes.lons[0]).toBeCloseTo(-81.379284333, 8);
  expect(file.fixes.speedsMetersPerSecond[0]).toBeCloseTo(10, 3);
});

test('south and east have their own letters, and any system of satellites may speak', () => {
  const file = read(sentence('GNRMC,170130.56,A,3724.64918,S,14522.75706,E,1.0,,231125,,,A'));
  expect(file.fixes.lats[0]).toBeCloseTo(-37.4108197, 6);
  expect(file.fixes.lons[0]).toBeCloseTo(145.3792843, 6);
});

test('sentences of one time are one fix, whichever comes first', () => {
  const file = read(
    gga('170130.56'),
    rmc('170130.56'),
    rmc('170130.60'),
    gga('170130.60'),
    sentence('GPGSA,A,3'),
  );
  expect(file.fixes.length).toBe(2);
  expect([...file.fixes.speedsMetersPerSecond].every((speed) => Math.abs(speed - 10) < 0.01)).toBe(true);
  expect(file.clock).toBe('utc');
});

test('GGA ten times a second gets its date from the RMC of every second, and speeds from VTG', () => {
  const file = read(
    gga('170130.80'),
    gga('170130.90'),
    gga('170131.00'),
    rmc('170131.00'),
    gga('170131.10'),
    sentence('GPVTG,288.1,T,,M,19.438,N,36.0,K,A'),
  );
  const first = Date.UTC(2025, 10, 23, 17, 1, 30, 800);
  expect([...file.fixes.timesMs]).toEqual([first, first + 100, first + 200, first + 300]);
  expect([...file.fixes.speedsMetersPerSecond].map((speed) => Math.round(speed))).toEqual([NaN, NaN, 10, 10]);
});

test('GGA alone knows the time of day, over midnight', () => {
  const file = read(gga('235959.90'), gga('000000.00'));
  expect(file.clock).toBe('time_of_day');
  expect((file.fixes.timesMs[1] ?? 0) - (file.fixes.timesMs[0] ?? 0)).toBe(100);
});

test.each([
  ['at midnight', '231125', '241125', '241125'],
  ['a moment late', '231125', '231125', '241125'],
  ['a moment early', '241125', '241125', '241125'],
])('the date may change %s', (_, before, at, after) => {
  const { timesMs } = read(
    rmc('235959.80', '231125'),
    rmc('235959.90', before),
    rmc('000000.00', at),
    rmc('000000.10', after),
  ).fixes;
  expect(Array.from(timesMs, (timeMs) => timeMs - Date.UTC(2025, 10, 24))).toEqual([-200, -100, 0, 100]);
});

test('fixes of the GGA before the first date are dated from it, even from the other side of midnight', () => {
  const { timesMs } = read(gga('235959.90'), gga('000000.00'), rmc('000000.10', '241125')).fixes;
  expect(Array.from(timesMs, (timeMs) => timeMs - Date.UTC(2025, 10, 24))).toEqual([-100, 0, 100]);
});

test.each(['', '000000', '060180'])('a receiver that does not know the date writes "%s"', (date) => {
  expect(read(rmc('170130.56', date)).clock).toBe('time_of_day');
});

test('damaged sentences are found by their checksum and counted', () => {
  const good = rmc('170130.56');
  const file = read(good, rmc('170130.60').replace('24.64918', '34.64918'), rmc('170130.64').slice(0, 40));
  expect(file.fixes.length).toBe(1);
  expect(file.dropped).toEqual({ unreadable_row: 2 });
});

test('sentences that ran into each other: the whole ones are read', () => {
  const file = read(`${rmc('170130.56')}${rmc('170130.60').slice(0, 38)}${rmc('170130.64')}`);
  expect(file.fixes.length).toBe(2);
  expect(file.dropped).toEqual({ unreadable_row: 1 });
});

test('files without any checksum are read', () => {
  expect(read(rmc('170130.56').slice(0, -3), rmc('170130.60').slice(0, -3)).fixes.length).toBe(2);
});

test('what loggers write in front of a sentence or behind it is no matter', () => {
  const file = read(`NMEA,${rmc('170130.56')},1700000000000`, `17:01:30.600 ${rmc('170130.60')}`);
  expect(file.fixes.length).toBe(2);
});

test('without a fix there is no position', () => {
  const file = read(
    sentence('GPRMC,170130.56,V,,,,,,,231125,,,N'),
    sentence('GPGGA,170130.60,2824.64918,N,08122.75706,W,0,00,,,M,,M,,'),
    rmc('170130.64'),
  );
  expect(file.dropped).toEqual({ no_position: 2 });
  expect(() => read(sentence('GPRMC,170130.56,V,,,,,,,231125,,,N'))).toThrow(/no GPS positions/);
});

test('a date whose sentence lost its time of day leaves the fixes before it alone', () => {
  const file = read(gga('170130.80'), gga('170130.90'), rmc(''), gga('170131.00'));
  expect([...file.fixes.timesMs].every(Number.isFinite)).toBe(true);
  expect(file).toMatchObject({ clock: 'time_of_day', dropped: { no_time: 1 } });
});
