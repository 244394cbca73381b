import { expect, test } from 'vitest';
import { libraryTrack } from '../../tests/library.ts';
import { findReceiverInterval } from './resampled-rows.ts';
import { toLapFile, simulateDrive, type DrivenFix } from '../simulation/drive.ts';
import type { Receiver } from '../simulation/receiver.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';

const track = libraryTrack('grattan-raceway-full');

function driven(receiver: Partial<Receiver>) {
  return simulateDrive(track, {
    seed: 5,
    laps: 3,
    receiver: { speedNoiseMetersPerSecond: 0.03, ...receiver },
  });
}

/** Returns rows in between, on straight lines, as loggers that merge several sensors write them. */
function merged(fixes: DrivenFix[], rowsPerFix: number): DrivenFix[] {
  return fixes.slice(0, -1).flatMap((fix, index) => {
    const next = fixes[index + 1] ?? fix;
    return Array.from({ length: rowsPerFix }, (_, row) => {
      const u = row / rowsPerFix;
      const between = (from: number, to: number): number => from + u * (to - from);
      return {
        timeMs: between(fix.timeMs, next.timeMs),
        lat: Number(between(fix.lat, next.lat).toFixed(7)),
        lon: Number(between(fix.lon, next.lon).toFixed(7)),
        speedMetersPerSecond: Number(between(fix.speedMetersPerSecond, next.speedMetersPerSecond).toFixed(4)),
      };
    });
  });
}

test('the rate of the receiver is found behind interpolated rows', () => {
  for (const [rateHz, rowsPerFix] of [
    [1, 50],
    [5, 10],
    [10, 4],
    [25, 2],
  ] as const) {
    const file = openFixes(toLapFile(merged(driven({ rateHz }).fixes, rowsPerFix)));
    expect(file.gpsRateHz).toBe(rateHz);
  }
});

test('rows that are fixes are not taken for interpolated, whatever their speeds are rounded to', () => {
  for (const rateHz of [1, 10, 25]) {
    const { fixes } = driven({ rateHz });
    const rounded = fixes.map((fix) => ({
      ...fix,
      speedMetersPerSecond: Math.round(fix.speedMetersPerSecond * 36) / 36,
    }));
    expect(findReceiverInterval(toLapFile(fixes).fixes)).toBeNull();
    expect(findReceiverInterval(toLapFile(rounded).fixes)).toBeNull();
  }
  expect(findReceiverInterval(toLapFile(driven({ rateHz: 10, hasSpeed: false }).fixes).fixes)).toBeNull();
});

test('many rows on few fixes do not make a lap time look better than it is', () => {
  const { fixes } = driven({ rateHz: 1, driftMeters: 0.5 });
  const [few] = timeLaps(openFixes(toLapFile(fixes)), track).laps;
  const [many] = timeLaps(openFixes(toLapFile(merged(fixes, 100))), track).laps;
  expect(many?.uncertaintyMs).toBeGreaterThanOrEqual((few?.uncertaintyMs ?? 0) * 0.9);
});

test('from five fixes a second on, laps timed on interpolated rows are as exact as on the fixes behind them', () => {
  for (const [rateHz, rowsPerFix] of [
    [5, 10],
    [10, 5],
    [25, 2],
  ] as const) {
    const { fixes, trueLaps } = driven({ rateHz, noiseMeters: 0.01 });
    const { laps } = timeLaps(openFixes(toLapFile(merged(fixes, rowsPerFix))), track);
    expect(laps).toHaveLength(trueLaps.length);
    for (const [index, lap] of laps.entries())
      expect(Math.abs(lap.lapTimeMs - (trueLaps[index]?.lapTimeMs ?? 0))).toBeLessThan(2);
  }
});
