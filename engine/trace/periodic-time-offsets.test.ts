import { expect, test } from 'vitest';
import { libraryTrack } from '../../tests/library.ts';
import { at } from '../fix-columns.ts';
import { correctPeriodicOffsets } from './periodic-time-offsets.ts';
import { toLapFile, simulateDrive, type SimulatedDrive } from '../simulation/drive.ts';
import type { Receiver } from '../simulation/receiver.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import { buildTrace } from './trace.ts';

const track = libraryTrack('grattan-raceway-full');

function driven(receiver: Partial<Receiver>): SimulatedDrive {
  return simulateDrive(track, {
    seed: 9,
    laps: 4,
    receiver: { noiseMeters: 0.01, speedNoiseMetersPerSecond: 0.03, ...receiver },
  });
}

/** The drive with stamps that are wrong by `offMs`, which gives the error by the place within the second. */
function misstamped(drive: SimulatedDrive, offMs: (placeMs: number) => number): SimulatedDrive {
  const fixes = drive.fixes.map((fix) => ({
    ...fix,
    timeMs: fix.timeMs + offMs(Math.round(fix.timeMs) % 1000),
  }));
  return { ...drive, fixes };
}

/** Returns the error with which a dragy stamps its fixes. */
function offLikeDragy(placeMs: number): number {
  if (placeMs === 880) return -10;
  return placeMs === 960 ? 10 : 0;
}

function worstErrorMs(drive: SimulatedDrive): number {
  const { laps } = timeLaps(openFixes(toLapFile(drive.fixes)), track);
  expect(laps).toHaveLength(drive.trueLaps.length);
  return Math.max(
    ...laps.map((lap, index) => Math.abs(lap.lapTimeMs - (drive.trueLaps[index]?.lapTimeMs ?? 0))),
  );
}

function isMended(drive: SimulatedDrive): boolean {
  const trace = buildTrace(toLapFile(drive.fixes));
  return correctPeriodicOffsets(trace).trace !== trace;
}

test('fixes that are stamped wrong in every second get the times at which they were taken', () => {
  const drive = driven({ rateHz: 25 });
  const trace = buildTrace(toLapFile(misstamped(drive, offLikeDragy).fixes));
  const { timesMs } = correctPeriodicOffsets(trace).trace.fixes;
  const errors = drive.fixes.map((fix, index) => Math.abs(fix.timeMs - (timesMs[index] ?? Number.NaN)));
  expect(Math.max(...errors)).toBeLessThan(0.5);
});

test('times go on rising where fixes of another recording are closer together', () => {
  const drive = misstamped(driven({ rateHz: 25 }), (placeMs) => (placeMs === 880 ? -15 : 0));
  const lastMs = Math.ceil((drive.fixes.at(-1)?.timeMs ?? 0) / 1000) * 1000;
  const dense = drive.fixes
    .slice(-200)
    .map((fix, index) => ({ ...fix, timeMs: lastMs + 10_000 + 5 * index }));
  const { trace } = correctPeriodicOffsets(buildTrace(toLapFile([...drive.fixes, ...dense])));
  const stepsMs = trace.fixes.timesMs
    .slice(1)
    .map((timeMs, index) => timeMs - at(trace.fixes.timesMs, index));
  expect(Math.min(...stepsMs)).toBeGreaterThan(0);
});

test('such a receiver times laps as well as one with right stamps, at lower rates too', () => {
  for (const rateHz of [5, 10, 25]) {
    const off = rateHz === 25 ? offLikeDragy : (place: number) => (place === 400 ? 12 : 0);
    expect(worstErrorMs(misstamped(driven({ rateHz }), off))).toBeLessThan(1.5);
  }
});

test('right stamps stay as they are, whatever else a receiver does', () => {
  const receivers: Partial<Receiver>[] = [
    { rateHz: 1 },
    { rateHz: 10 },
    { rateHz: 25 },
    { rateHz: 25, noiseMeters: 0.3, driftMeters: 1 },
    { rateHz: 10, jitterMs: 10, lossShare: 0.05 },
    { rateHz: 10, coordinateDecimals: 5 },
    { rateHz: 25, hasSpeed: false },
  ];
  for (const receiver of receivers) expect(isMended(driven(receiver))).toBe(false);
});

test('stamps that are wrong now and then make no pattern', () => {
  const drive = driven({ rateHz: 25 });
  const fixes = drive.fixes.map((fix, index) => ({
    ...fix,
    timeMs: fix.timeMs + (index % 29 === 0 ? 10 : 0),
  }));
  expect(isMended({ ...drive, fixes })).toBe(false);
});
