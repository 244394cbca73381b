import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

function read(...lines: string[]) {
  return readLapFile(new TextEncoder().encode([...lines, ''].join('\n')));
}

const HEADER =
  '"Time","Lap","GPS Latitude (deg)","GPS Longitude (deg)","GPS Speed (km/h)","GPS Sample Rate (Hz)","Lap Number","Vehicle Speed (km/h)"';

test('comments come first and state the rate of the receiver; times count from the start', () => {
  const file = read(
    '# Lap Legend CSV Data Export (25 Hz Interpolated)',
    '# Track: Kart track',
    '# GPS Rate: 10 Hz',
    '',
    HEADER,
    '0.000,0,38.2997,-104.6762,36,3.75,0,15',
    '0.040,0,38.2998,-104.6762,36,25.00,0,15',
  );
  expect(file.format).toBe('lap-legend-csv');
  expect(file.clock).toBe('elapsed');
  expect([...file.fixes.timesMs]).toEqual([0, 40]);
  expect(file.fixes.speedsMetersPerSecond[0]).toBeCloseTo(10, 9);
  expect(file.receiverRateHz).toBe(10);
});

test('the laps are those that begin and end in the file', () => {
  const rows = [0, 0, 1, 1, 2, 2].map(
    (lap, index) => `${index * 5}.000,0,38.2${index},-104.6,36,25,${lap},15`,
  );
  const file = read('# Lap Legend CSV Data Export', HEADER, ...rows);
  expect(file.receiverRateHz).toBeNull();
  expect(file.loggerLaps).toMatchObject([{ number: 1, lapTimeMs: 10_000, startTimeMs: 10_000 }]);
});
