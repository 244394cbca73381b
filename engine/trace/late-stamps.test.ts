import { expect, test } from 'vitest';
import { at } from '../fix-columns.ts';
import { simulateDrive, toLapFile } from '../simulation/drive.ts';
import { KART_TRACK } from '../testing/kart-track.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import { isRanking } from '../timing/laps.ts';
import { compareLaps } from '../comparison/compare-laps.ts';
import { buildTrace } from './trace.ts';

const RECEIVER = { rateHz: 10, noiseMeters: 0.05, driftMeters: 0.3, timeStampStepMs: 1 };
const { fixes } = simulateDrive(KART_TRACK, { seed: 4, laps: 4, receiver: RECEIVER });
/** Every 97th fix is the last one before a hole of one to three fixes. */
const lostAfter = (index: number) => (index % 97 === 50 ? 1 + (index % 3) : 0);
const isLost = (index: number) => [1, 2, 3].some((back) => lostAfter(index - back) >= back);
const kept = fixes.flatMap((fix, index) => (isLost(index) ? [] : [{ fix, index }]));
const withHoles = kept.map(({ fix }) => fix);
const withLateStamps = kept.map(({ fix, index }) => ({
  ...fix,
  timeMs: fix.timeMs + 100 * lostAfter(index),
}));

test('a fix with the stamp of the last one that is lost behind it gets its own time back, and a hole stays where it is', () => {
  expect(withLateStamps).not.toEqual(withHoles);
  const plain = buildTrace(toLapFile(withHoles));
  const corrected = buildTrace(toLapFile(withLateStamps));
  expect(plain.fixes.timesMs).toEqual(Float64Array.from(withHoles, ({ timeMs }) => timeMs));
  const wrong = corrected.fixes.timesMs.filter(
    (timeMs, index) => Math.abs(timeMs - at(plain.fixes.timesMs, index)) > 2,
  );
  expect(wrong.length).toBe(0);
});

test('late stamps make no spike in the gap', () => {
  const [plain, corrected] = [withHoles, withLateStamps].map((drive) => {
    const file = openFixes(toLapFile(drive));
    const [first, second] = timeLaps(file, KART_TRACK).laps.filter(isRanking);
    if (!first || !second) throw new Error('There are two laps.');
    const compared = compareLaps({ ...file, lap: first }, [{ ...file, lap: second, isSameRecording: true }]);
    return compared?.laps[0]?.gapMs ?? new Float64Array();
  });
  expect(plain?.length).toBeGreaterThan(100);
  plain?.forEach((gap, station) =>
    expect(Math.abs(gap - (corrected?.[station] ?? Number.NaN))).toBeLessThan(5),
  );
});
