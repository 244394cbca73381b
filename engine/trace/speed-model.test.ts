import { expect, test } from 'vitest';
import { fitSpeeds } from './speed-model.ts';
import { toLapFile, simulateDrive, type DrivenFix } from '../simulation/drive.ts';
import { libraryTrack } from '../../tests/library.ts';
import { buildTrace } from './trace.ts';

const { fixes } = simulateDrive(libraryTrack('grattan-raceway-full'), {
  seed: 3,
  laps: 4,
  receiver: { rateHz: 10 },
});

function fitOf(change: (fix: DrivenFix, index: number) => number) {
  const changed = fixes.map((fix, index) => ({ ...fix, speedMetersPerSecond: change(fix, index) }));
  return fitSpeeds(buildTrace(toLapFile(changed)));
}

test('right speeds are recognised as right', () => {
  const model = fitOf((fix) => fix.speedMetersPerSecond);
  expect(model?.scale).toBeCloseTo(1, 2);
  expect(model?.delaySeconds).toBeCloseTo(0, 1);
  expect(model?.residualMeters).toBeLessThan(0.05);
});

test('speeds that come late or are off by some percent are put right', () => {
  const model = fitOf((_, index) => 1.03 * (fixes[Math.max(0, index - 5)]?.speedMetersPerSecond ?? 0));
  expect(Math.abs((model?.scale ?? 0) - 1 / 1.03)).toBeLessThan(0.01);
  expect(model?.delaySeconds).toBeCloseTo(0.5, 1);
});

test('numbers that are no speeds of this car are not used', () => {
  expect(fitOf((fix) => fix.speedMetersPerSecond * 3.6)).toBeNull();
  expect(fitOf((_, index) => 20 + 15 * Math.sin(index / 10))).toBeNull();
  expect(fitOf(() => Number.NaN)).toBeNull();
});
