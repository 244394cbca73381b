import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

function read(...lines: string[]) {
  return readLapFile(new TextEncoder().encode([...lines, ''].join('\n')));
}

const HEADER =
  'Lap;Time Lap;Strip;Time Strip;Absolute Time;Time;Distance;RPM;Speed GPS;Orientation;Lat.;Lon.;Altitude;UTC time : ';

/** Returns a row as the app writes it: absolute time, time in the lap, latitude; lap and its time only where a lap begins. */
function row(absolute: string, inLap: string, lat: string, lap = ';') {
  return `${lap};1;20.81;${absolute};${inLap};0;4,120;36.0;17,090.4;${lat};-106.6489868;515;`;
}

test('absolute times run on where the time of the lap restarts, and thousands are grouped', () => {
  const file = read(
    `${HEADER}144141.50`,
    row('0', '0', '52.3017', '1;87.43'),
    row('999.99', '87.42', '52.3018'),
    row('1,000.01', '0', '52.3019', '2;60.69'),
    ';;;;;;;;;;;;;',
  );
  expect(file.format).toBe('alfano-csv');
  const startMs = ((14 * 60 + 41) * 60 + 41.5) * 1000;
  expect([...file.fixes.timesMs]).toEqual([startMs, startMs + 999_990, startMs + 1_000_010]);
  expect(file.clock).toBe('time_of_day');
  expect(file.fixes.speedsMetersPerSecond[0]).toBeCloseTo(10, 9);
  expect(file.dropped).toEqual({});
});

test('with decimal commas the points group', () => {
  const file = read(
    `${HEADER}144141,00`,
    '1;87,43;1;20,81;1.000,01;0;0;4.120;36,0;17.090,4;52,3017693;-106,6489868;515;',
  );
  expect(file.fixes.timesMs[0]).toBe(((14 * 60 + 41) * 60 + 41) * 1000 + 1_000_010);
  expect([...file.fixes.lats, ...file.fixes.lons]).toEqual([52.3017693, -106.6489868]);
  expect(file.fixes.speedsMetersPerSecond[0]).toBeCloseTo(10, 9);
});

test('of the laps only those between two passes count, with the time that the logger has measured', () => {
  const file = read(
    `${HEADER}000000.00`,
    row('0', '0', '52.3017', '1;20.43'),
    row('20.44', '0', '52.3018', '2;60.687'),
    row('81.13', '0', '52.3019', '3;60.121'),
    row('141.25', '0', '52.3020', '4;9.43'),
    row('150.68', '9.43', '52.3021'),
  );
  expect(file.loggerLaps).toMatchObject([
    { number: 2, lapTimeMs: 60_687, startTimeMs: 20_440 },
    { number: 3, lapTimeMs: 60_121, startTimeMs: 81_130 },
  ]);
});

test('a lap time that does not fit its rows gives way to them', () => {
  const file = read(
    `${HEADER}000000.00`,
    row('0', '0', '52.3017', '1;20.43'),
    row('20', '0', '52.3018', '2;10'),
    row('81', '0', '52.3019', '3;60'),
  );
  expect(file.loggerLaps).toMatchObject([{ number: 2, lapTimeMs: 61_000, startTimeMs: 20_000 }]);
});

test('a start that is no time of day leaves the times counting from it', () => {
  const file = read(HEADER, row('0.50', '0', '52.3017'));
  expect(file.clock).toBe('elapsed');
  expect([...file.fixes.timesMs]).toEqual([500]);
});

test('an export without positions is refused in words', () => {
  expect(() => read('Lap;Time Lap;Absolute Time;UTC time : 1', '1;2;3')).toThrow(
    /Alfano file has no columns/,
  );
});
