import { expect, test } from 'vitest';
import { isLongRun } from '../../tests/long-run.ts';
import { at } from '../fix-columns.ts';
import { simulateDrive } from '../simulation/drive.ts';
import { baseOf, compareDrives, falseCauses, TRACK_IDS, type Driven } from '../../tests/driven-causes.ts';
import type { ComparedStretch } from './stretch-figures.ts';

function causesOf({ comparison: { stretches } }: Driven): ComparedStretch[] {
  return stretches.filter(({ laps }) => (laps[1]?.cause ?? null) !== null);
}

/** Drives a lap twice, by different drivers with receivers of the given rates. */
function driveAtRates(rates: readonly number[], seed: number): Driven {
  const base = baseOf(TRACK_IDS[seed % 2] ?? '');
  const [first, second] = rates.map((rateHz, driver) =>
    simulateDrive(base.track, {
      ...base.options,
      seed: 17 * seed + driver,
      styleSeed: 17 * seed + driver,
      receiver: { rateHz, noiseMeters: 0.02, driftMeters: 0.4, speedNoiseMetersPerSecond: 0.05 },
    }),
  );
  return compareDrives(base, first, second);
}

const PAIR_COUNT = isLongRun ? 40 : 8;
/** At 2 Hz, one cause in a hundred may name twice what was driven. */
const FALSE_SHARE_MAX = 0.01;

test.each([
  { rates: [25, 5], named: 3 },
  { rates: [5, 5], named: 2 },
  { rates: [10, 2], named: 0.1 },
  { rates: [2, 25], named: 0.1 },
  { rates: [25, 1], named: 0 },
  { rates: [1, 10], named: 0 },
])('receivers of $rates Hz name what was driven, or nothing', ({ rates, named }) => {
  const pairs = Array.from({ length: PAIR_COUNT }, (_, seed) => driveAtRates(rates, seed));
  const count = pairs.flatMap(causesOf).length;
  const wrong = pairs.flatMap(falseCauses);
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(FALSE_SHARE_MAX * count);
  expect(count).toBeGreaterThanOrEqual(named * PAIR_COUNT);
});

test('no cause is named where a recording has a hole', () => {
  let [seen, named] = [0, 0];
  for (let seed = 0; seed < 4; seed += 1) {
    const { base, drives } = driveAtRates([25, 25], seed);
    const lap = seed % 2;
    const { startTimeMs = Number.NaN, lapTimeMs = Number.NaN } = drives[lap]?.trueLaps[0] ?? {};
    // A hole of a second and a half in every fifth of the lap.
    const isHole = (timeMs: number) => (timeMs - startTimeMs + lapTimeMs / 9) % (lapTimeMs / 5) < 1500;
    const recorded = drives.map((drive, index) =>
      index === lap ? { ...drive, fixes: drive.fixes.filter(({ timeMs }) => !isHole(timeMs)) } : drive,
    );
    const pair = compareDrives(base, ...recorded);
    const { meters, laps, reference } = pair.comparison;
    const elapsedMs = lap === 0 ? reference.elapsedMs : laps[0]?.elapsedMs;
    const holed = pair.comparison.stretches.filter(({ startMeters, endMeters }) =>
      meters.some(
        (along, station) =>
          along >= startMeters &&
          along <= endMeters &&
          isHole(startTimeMs + at(elapsedMs ?? meters, station)),
      ),
    );
    seen += holed.length;
    for (const { laps: figures } of holed)
      expect(figures[1]).toMatchObject({ cause: null, brakingEarlierMeters: null });
    expect(falseCauses(pair)).toEqual([]);
    named += causesOf(pair).length;
  }
  expect(seen).toBeGreaterThan(15);
  expect(named).toBeGreaterThan(3);
});
