import { expect, test } from 'vitest';
import { asLapId } from '#contract/testing/ids.ts';
import { keepLapIds } from './keep-lap-ids.ts';

const START_MS = Date.UTC(2026, 5, 6, 10);

/** A session of laps that follow one another from `startMs` on; ids are the prefix and the number. */
function session(prefix: string, lapTimesMs: readonly number[], { startMs = START_MS, sessionMs = 0 } = {}) {
  let lapStartMs = startMs;
  const laps = lapTimesMs.map((lapTimeMs, index) => {
    const lap = { id: asLapId(`${prefix}${index + 1}`), startedAt: new Date(lapStartMs), lapTimeMs };
    lapStartMs += lapTimeMs;
    return lap;
  });
  return { startedAt: new Date(START_MS + sessionMs), laps };
}

const idsAfter = (before: ReturnType<typeof session>, after: ReturnType<typeof session>) =>
  keepLapIds(before, after).map(({ id }) => id);

const THREE = session('old', [90_000, 91_000, 92_000]);

test('laps timed a little differently keep their ids', () => {
  expect(idsAfter(THREE, session('new', [90_004, 90_998, 92_001]))).toEqual(['old1', 'old2', 'old3']);
});

test('a line moved by less than half a lap keeps the ids, by more it hands each to the lap that it mostly is', () => {
  const shifted = (byMs: number) =>
    session('new', [90_000, 90_000, 90_000], { startMs: START_MS + byMs, sessionMs: 0 });
  const before = session('old', [90_000, 90_000, 90_000]);
  expect(idsAfter(before, shifted(44_000))).toEqual(['old1', 'old2', 'old3']);
  expect(idsAfter(before, shifted(46_000))).toEqual(['old2', 'old3', 'new3']);
  expect(idsAfter(before, shifted(-46_000))).toEqual(['new1', 'old1', 'old2']);
  expect(idsAfter(before, shifted(45_000))).toEqual(['new1', 'new2', 'new3']);
});

test('the larger part of a lap that is split in two keeps the id, and neither of two equal parts does', () => {
  const before = session('old', [90_000, 90_000]);
  expect(idsAfter(before, session('new', [60_000, 30_000, 90_000]))).toEqual(['old1', 'new2', 'old2']);
  expect(idsAfter(before, session('new', [45_000, 45_000, 90_000]))).toEqual(['new1', 'new2', 'old2']);
});

test('two laps that are joined into one keep the id of the larger', () => {
  const before = session('old', [30_000, 60_000, 90_000]);
  expect(idsAfter(before, session('new', [90_000, 90_000]))).toEqual(['old2', 'old3']);
});

test('ids of laps that vanish are given to no other lap', () => {
  const after = session('new', [91_000], { startMs: START_MS + 90_000 });
  expect(idsAfter(THREE, after)).toEqual(['old2']);
  expect(idsAfter(THREE, session('new', []))).toEqual([]);
  expect(idsAfter(session('old', []), THREE)).toEqual(['old1', 'old2', 'old3']);
});

test('a session that another time zone moves on the clock keeps all ids', () => {
  const hourMs = 3_600_000;
  const moved = session('new', [90_000, 91_000, 92_000], { startMs: START_MS + hourMs, sessionMs: hourMs });
  expect(idsAfter(THREE, moved)).toEqual(['old1', 'old2', 'old3']);
});

test('laps that overlap after a clock has jumped back still have one id each', () => {
  const same = { startedAt: new Date(START_MS), lapTimeMs: 90_000 };
  const twice = (prefix: string) => ({
    startedAt: same.startedAt,
    laps: [
      { ...same, id: asLapId(`${prefix}1`) },
      { ...same, id: asLapId(`${prefix}2`) },
    ],
  });
  expect(idsAfter(twice('old'), twice('new')).toSorted()).toEqual(['old1', 'old2']);
});
