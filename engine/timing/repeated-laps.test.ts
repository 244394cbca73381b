import { expect, test } from 'vitest';
import { libraryTrack } from '../../tests/library.ts';
import { simulateDrive, toLapFile, type DrivenFix } from '../simulation/drive.ts';
import type { Receiver } from '../simulation/receiver.ts';
import { buildTrace } from '../trace/trace.ts';
import { findRepeatedLaps, type RepeatedLaps } from './repeated-laps.ts';

const TRACK = libraryTrack('grattan-raceway-full');
const METERS_PER_DEGREE = 111_320;

function drive(receiver: Partial<Receiver> = {}, laps = 6) {
  return simulateDrive(TRACK, { seed: 6, laps, receiver });
}

function repeatedIn(fixes: DrivenFix[]): RepeatedLaps {
  return findRepeatedLaps(buildTrace(toLapFile(fixes)));
}

function northShifts(fixes: DrivenFix[]): number[] {
  return repeatedIn(fixes).shifts.map(({ northMeters }) => northMeters);
}

test('places are passed again after one lap, from 1 to 25 Hz', () => {
  for (const rateHz of [1, 5, 25]) {
    const { fixes, trueLaps } = drive({ rateHz });
    const { returns, shifts } = repeatedIn(fixes);
    const [first] = trueLaps;
    if (first === undefined) throw new Error('There is a lap.');
    const start = returns.find(({ fromMs }) => fromMs >= first.startTimeMs);
    const lapMs = (start?.toMs ?? 0) - (start?.fromMs ?? 0);
    expect(Math.abs(lapMs - first.lapTimeMs)).toBeLessThan(500);
    expect(shifts.length).toBeGreaterThanOrEqual(trueLaps.length - 1);
  }
});

test('a receiver that shifts by two metres after three laps shows it in one of the laps, however drivers wander', () => {
  const { fixes, trueLaps } = drive({ rateHz: 10 });
  const changeMs = trueLaps[3]?.startTimeMs ?? 0;
  const moved = fixes.map((fix) =>
    fix.timeMs < changeMs ? fix : { ...fix, lat: fix.lat + 2 / METERS_PER_DEGREE },
  );
  const [before, after] = [northShifts(fixes), northShifts(moved)];
  const changes = after.map((north, lap) => north - (before[lap] ?? 0));
  expect(Math.abs(changes.reduce((sum, change) => sum + change, 0) - 2)).toBeLessThan(0.3);
  expect(changes.filter((change) => Math.abs(change) > 0.3).length).toBeLessThanOrEqual(2);
});

test('a way that is driven once has no repeated laps', () => {
  const { fixes, trueLaps } = drive({ rateHz: 10 });
  const [first] = trueLaps;
  if (first === undefined) throw new Error('There is a lap.');
  const once = fixes.filter(
    ({ timeMs }) => timeMs > first.startTimeMs + 5000 && timeMs < first.startTimeMs + first.lapTimeMs - 5000,
  );
  expect(repeatedIn(once)).toEqual({ returns: [], shifts: [] });
});
