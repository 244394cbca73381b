import { expect, test } from 'vitest';
import { lapFileOf, simulateDrive } from './testing/drive.ts';
import type { Receiver } from './testing/drive.ts';
import { libraryTrack } from '../tests/library.ts';
import { openFixes, timeLaps } from './time-lap-file.ts';

const TRACKS = [
  'grattan-raceway-full',
  'autodromo-nazionale-monza-grand-prix',
  'circuit-de-monaco-street-circuit',
];

/** The share of simulated laps whose true time lies within the stated uncertainty, and the mean of that uncertainty. */
function coverage(receiver: Partial<Receiver>, laps = 12): { share: number; meanMs: number } {
  const outcomes = TRACKS.flatMap((id, seed) => {
    const track = libraryTrack(id);
    const drive = simulateDrive(track, { seed, laps, receiver });
    const timed = timeLaps(openFixes(lapFileOf(drive.fixes)), track);
    expect(timed.laps).toHaveLength(drive.trueLaps.length);
    return timed.laps.map((lap, index) => ({
      isInside: Math.abs(lap.lapTimeMs - (drive.trueLaps[index]?.lapTimeMs ?? 0)) <= lap.uncertaintyMs,
      uncertaintyMs: lap.uncertaintyMs,
    }));
  });
  return {
    share: outcomes.filter((outcome) => outcome.isInside).length / outcomes.length,
    meanMs: outcomes.reduce((sum, outcome) => sum + outcome.uncertaintyMs, 0) / outcomes.length,
  };
}

test('with the drift of a good receiver, the true time lies within the stated uncertainty nine times out of ten and more', () => {
  const drifting = { driftMeters: 0.25, noiseMeters: 0.02, speedNoiseMetersPerSecond: 0.05 };
  expect(coverage({ ...drifting, rateHz: 10 }).share).toBeGreaterThan(0.9);
});

test('with the drift of a phone, the same holds at one fix a second', () => {
  const phone = { rateHz: 1, driftMeters: 0.8, noiseMeters: 0.2, speedNoiseMetersPerSecond: 0.2 };
  expect(coverage(phone).share).toBeGreaterThan(0.9);
});

test('noise, rounding and coarse stamps make the stated uncertainty wider', () => {
  const clean = coverage({ rateHz: 10 }, 3).meanMs;
  expect(coverage({ rateHz: 10, noiseMeters: 0.5 }, 3).meanMs).toBeGreaterThan(clean * 1.2);
  expect(coverage({ rateHz: 10, coordinateDecimals: 4 }, 3).meanMs).toBeGreaterThan(clean * 2);
  expect(coverage({ rateHz: 12.5, timeStampStepMs: 100, jitterMs: 20 }, 3).meanMs).toBeGreaterThan(
    clean * 1.5,
  );
});
