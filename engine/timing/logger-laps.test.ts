import { expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { lineThrough } from '../../tests/lap-samples.ts';
import { at } from '../fix-columns.ts';
import { simulateDrive, type SimulatedDrive } from '../simulation/drive.ts';
import { seededRandom } from '../simulation/random.ts';
import { shuffle } from '../testing/shuffle.ts';
import { writeGenericCsv } from '../simulation/write-generic-csv.ts';
import { KART_TRACK } from '../testing/kart-track.ts';
import { openLapFile, timeLaps, timeOnOwnLine } from '../time-lap-file.ts';
import { trackFromLine } from '../track.ts';
import { findBestLap, type Lap } from './laps.ts';

function drive(rateHz: number, laps = 20): SimulatedDrive {
  const receiver = { rateHz, noiseMeters: 0.1, driftMeters: 0.5, speedNoiseMetersPerSecond: 0.1 };
  return simulateDrive(KART_TRACK, { seed: 5, laps, startTimeMs: Date.UTC(2026, 4, 16), receiver });
}

function lapsOf(text: string): Lap[] {
  return timeOnOwnLine(openLapFile(new TextEncoder().encode(text))).laps;
}

test.each([1, 4.6, 10, 25])(
  'at %d Hz, the laps of a lap column are right within their ±, which follows from the step of the rows',
  (rateHz) => {
    const simulated = drive(rateHz);
    const laps = lapsOf(writeGenericCsv(simulated));
    expect(laps).toHaveLength(simulated.trueLaps.length);
    const stepMs = 1000 / rateHz;
    for (const [index, { lapTimeMs, uncertaintyMs, reasons }] of laps.entries()) {
      expect(reasons).toEqual(['timed_by_logger']);
      expect(uncertaintyMs).toBeGreaterThan(stepMs);
      expect(uncertaintyMs).toBeLessThan(1.2 * stepMs + 250);
      expect(Math.abs(lapTimeMs - (simulated.trueLaps[index]?.lapTimeMs ?? 0))).toBeLessThan(uncertaintyMs);
    }
  },
);

test('lap times that the logger has written in thousandths have the ± of the positions', () => {
  const { fixes } = drive(10, 3);
  const rows = fixes.map(({ timeMs, lat, lon }) => `${timeMs.toFixed(0)},9,1,${lat},${lon},60`);
  const text = ['laps_ms', '34251,34118', 'timestamp,sats,hdop,lat,lng,speed_mph', ...rows].join('\n');
  const laps = lapsOf(text);
  expect(laps.map(({ lapTimeMs }) => lapTimeMs)).toEqual([34_251, 34_118]);
  for (const { uncertaintyMs } of laps) {
    expect(uncertaintyMs).toBeGreaterThan(5);
    expect(uncertaintyMs).toBeLessThan(300);
  }
});

test('the laps of rows in random order are not made up', () => {
  const [header = '', ...rows] = writeGenericCsv(drive(10)).trim().split('\n');
  const laps = lapsOf([header, ...shuffle(rows, seededRandom(3))].join('\n'));
  expect(findBestLap(laps)).toBeUndefined();
});

test('laps around a row that came to stand elsewhere do not count, and the others do', () => {
  const [header = '', ...rows] = writeGenericCsv(drive(10, 6)).trim().split('\n');
  const [moved = ''] = rows.splice(300, 1);
  rows.splice(1000, 0, moved);
  const simulated = drive(10, 6);
  const laps = lapsOf([header, ...rows].join('\n'));
  expect(laps.length).toBeGreaterThan(3);
  for (const { startTimeMs, lapTimeMs } of laps) {
    const truth = simulated.trueLaps.find((lap) => Math.abs(lap.startTimeMs - startTimeMs) < 200);
    expect(Math.abs(lapTimeMs - (truth?.lapTimeMs ?? 0))).toBeLessThan(200);
  }
});

test('a file that was pasted twice has every lap once', () => {
  const text = writeGenericCsv(drive(10, 4));
  const once = lapsOf(text).map(({ lapTimeMs }) => lapTimeMs);
  expect(lapsOf(text + text).map(({ lapTimeMs }) => lapTimeMs)).toEqual(once);
});

const folder = process.env['LAP_SAMPLES'];

test.skipIf(folder === undefined)(
  "nine in ten laps of Barber's lap column at 4.6 Hz are right within their ± (LAP_SAMPLES)",
  () => {
    const file = openLapFile(readFileSync(join(folder ?? '', 'lap-files', 'grcup_barber_r1.csv')));
    const { timesMs, lats, lons } = file.trace.fixes;
    const marks = timeOnOwnLine(file).laps;
    expect(marks).toHaveLength(26);
    const middleOf = (column: Float64Array) => {
      const values = marks.map(({ startTimeMs }) =>
        at(
          column,
          timesMs.findIndex((timeMs) => timeMs >= startTimeMs),
        ),
      );
      return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
    };
    const line = lineThrough({ lat: middleOf(lats), lon: middleOf(lons) }, file);
    const { laps } = timeLaps(file, { ...trackFromLine(line), radiusMeters: 5000 });
    const right = marks.filter(({ startTimeMs, lapTimeMs, uncertaintyMs }) => {
      const crossing = laps.find((lap) => Math.abs(lap.startTimeMs - startTimeMs) < 600);
      return Math.abs(lapTimeMs - (crossing?.lapTimeMs ?? 0)) <= uncertaintyMs;
    });
    expect(right.length).toBeGreaterThanOrEqual(24);
  },
);
