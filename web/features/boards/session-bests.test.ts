import { expect, test } from 'vitest';
import { asTrackId } from '#contract/testing/ids.ts';
import { compareSessionBests, placeTimes } from './session-bests.ts';

const session = (trackId: string, bestLapTimeMs: number | null) => ({
  trackId: asTrackId(trackId),
  bestLapTimeMs,
});

test('the sessions of one track are compared, the oldest first, without those in which no lap ranks', () => {
  const sessions = [
    session('a', 61_000),
    session('b', 50_000),
    session('a', null),
    session('a', 60_500),
    session('a', 62_300),
  ];
  expect(compareSessionBests(sessions, asTrackId('a'))).toEqual({
    timesMs: [62_300, 60_500, 61_000],
    gainMs: 1_800,
  });
});

test('one session shows no progress, and a first session that is the best shows no gain', () => {
  expect(compareSessionBests([session('a', 60_000), session('b', 60_000)], asTrackId('a'))).toBeNull();
  expect(compareSessionBests([session('a', 61_000), session('a', 60_000)], asTrackId('a'))?.gainMs).toBe(0);
});

test('the fastest time is at the bottom, the slowest at the top, and equal times in the middle', () => {
  const box = { width: 50, height: 20, padding: 5 };
  expect(placeTimes([62, 60, 61], box)).toEqual([
    { x: 5, y: 5 },
    { x: 25, y: 15 },
    { x: 45, y: 10 },
  ]);
  expect(placeTimes([60, 60], box).map(({ y }) => y)).toEqual([10, 10]);
});
