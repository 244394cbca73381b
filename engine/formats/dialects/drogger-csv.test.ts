import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

function read(...lines: string[]) {
  return readLapFile(new TextEncoder().encode([...lines, ''].join('\n')));
}

const HEADER = '\ufeffRunTime,Lap,LapTime,Latitude,Longitude,Speed,RPM,ThrottolePos';

/** Returns a row of the logger: 5 Hz, and the car on its way. */
function row(timeMs: number, lap: number, lapTimeMs: number): string {
  return `${timeMs},${lap},${lapTimeMs},35.36${timeMs},138.9270,36,9000,55`;
}

test('0/0 is no position, and a byte-order mark no name', () => {
  const file = read(HEADER, '0,0,0,0.0000000,0.0000000,0,0,0', row(200, 0, 0), row(400, 0, 0));
  expect(file.format).toBe('drogger-csv');
  expect([...file.fixes.timesMs]).toEqual([200, 400]);
  expect(file.dropped).toEqual({ no_position: 1 });
  expect(file.fixes.speedsMetersPerSecond[0]).toBeCloseTo(10, 9);
});

test('the time of a lap is in its last rows; one of another lap is not believed', () => {
  const file = read(
    HEADER,
    row(0, 0, 0),
    row(200, 1, 0),
    row(5000, 1, 0),
    row(9800, 1, 9876),
    row(10_000, 2, 9876),
    row(15_000, 2, 9876),
    row(16_000, -1, 0),
    row(16_200, -1, 0),
  );
  expect(file.loggerLaps).toMatchObject([
    { number: 1, lapTimeMs: 9876, startTimeMs: 200 },
    { number: 2, lapTimeMs: 6000, startTimeMs: 10_000 },
  ]);
});
