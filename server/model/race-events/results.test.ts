import { expect, test } from 'vitest';
import { raceEventEntryIdSchema } from '#contract/ids.ts';
import {
  findCountedRuns,
  rankEntries,
  type ResultEntry,
  type ResultRun,
  type ResultSettings,
} from './results.ts';

const BEST: ResultSettings = {
  firstRuns: null,
  countedRuns: 1,
  conePenaltyMs: 2_000,
  gatePenaltyMs: 10_000,
  tieRule: 'shared',
};

/** Makes runs on one course, in order: a time, or what differs from a plain one. */
function drive(...runs: (number | Partial<ResultRun>)[]): ResultRun[] {
  return runs.map((run, index) => ({
    courseNumber: 1,
    runNumber: index + 1,
    timeMs: null,
    uncertaintyMs: null,
    cones: 0,
    gates: 0,
    status: 'timed',
    ...(typeof run === 'number' ? { timeMs: run } : run),
  }));
}

const entryId = (index: number) =>
  raceEventEntryIdSchema.parse(`2f8c1e57-90b4-4d3a-8a6e-51c7f0b2d9${index.toString().padStart(2, '0')}`);

const enter = (...entries: ResultRun[][]): ResultEntry[] =>
  entries.map((runs, index) => ({ entryId: entryId(index), indexFactor: null, runs }));

const rank = (settings: Partial<ResultSettings>, entries: ResultEntry[], courses = [1]) =>
  rankEntries({ ...BEST, ...settings }, courses, entries).map(({ place, totalMs }) => [place, totalMs]);

test('the best run counts, with what cones and gates cost', () => {
  const entries = enter(
    drive(64_500, { timeMs: 62_000, cones: 1 }),
    drive({ timeMs: 60_000, gates: 1 }, 65_000),
  );
  expect(rank({}, entries)).toEqual([
    [1, 64_000],
    [2, 65_000],
  ]);
});

test('several best runs are added, and without enough of them there is no total', () => {
  const entries = enter(drive(64_000, 63_000, 62_000), drive(60_000));
  expect(rank({ countedRuns: 2 }, entries)).toEqual([
    [1, 125_000],
    [null, null],
  ]);
});

test('where all runs count, one that was not timed leaves no total', () => {
  const entries = enter(drive(64_000, 63_000), drive(60_000, { status: 'dnf' }));
  expect(rank({ countedRuns: null }, entries)).toEqual([
    [1, 127_000],
    [null, null],
  ]);
  expect(rank({ countedRuns: null, firstRuns: 3 }, entries)).toEqual([
    [null, null],
    [null, null],
  ]);
});

test('of the first runs, a rerun is none, and a disqualified run is one that does not count', () => {
  const rerun = drive({ timeMs: 50_000, status: 'rerun' }, 64_000, 63_000, 40_000);
  expect(rank({ firstRuns: 2 }, enter(rerun))).toEqual([[1, 63_000]]);
  const disqualified = drive({ timeMs: 50_000, status: 'dsq' }, 64_000, 63_000);
  expect(rank({ firstRuns: 2 }, enter(disqualified))).toEqual([[1, 64_000]]);
  expect(rank({}, enter(drive({ status: 'dns' }, { timeMs: 60_000, status: 'dnf' })))).toEqual([
    [null, null],
  ]);
});

test('courses are added, and a course without a run leaves no total', () => {
  const both = [...drive(64_000), ...drive(70_000).map((run) => ({ ...run, courseNumber: 2 }))];
  expect(rank({}, enter(both, drive(50_000)), [1, 2])).toEqual([
    [1, 134_000],
    [null, null],
  ]);
  expect(findCountedRuns(BEST, [1, 2], both)).toEqual(both);
  expect(findCountedRuns(BEST, [1, 2], drive(50_000))).toEqual([]);
});

test('a total is multiplied by the index of the class, penalties too', () => {
  const factors = [0.8123, 0.95];
  const entries = enter(drive({ timeMs: 60_001, cones: 1 }), drive(55_000)).map((entry, index) => ({
    ...entry,
    indexFactor: factors[index] ?? null,
  }));
  expect(rank({}, entries)).toEqual([
    [1, 50_363],
    [2, 52_250],
  ]);
});

test('half a millisecond after the index rounds up, as it does by hand', () => {
  const entries = enter(drive(75_000)).map((entry) => ({ ...entry, indexFactor: 0.1025 }));
  expect(rank({}, entries)).toEqual([[1, 7_688]]);
});

const lap = (timeMs: number, uncertaintyMs: number) => drive({ timeMs, uncertaintyMs });

test('totals that are closer than their ± share a place, as far as the first of them', () => {
  const entries = enter(lap(60_000, 12), lap(60_015, 12), lap(60_030, 12), lap(60_031, 12), lap(61_000, 12));
  const rows = rankEntries(BEST, [1], entries);
  // The third is within the ± of the second, and not of the first: it begins another place.
  expect(rows.map(({ place }) => place)).toEqual([1, 1, 3, 3, 5]);
  expect(rows.map(({ isWithin }) => isWithin)).toEqual([true, true, true, true, false]);
  expect(rows.map(({ gapMs }) => gapMs)).toEqual([0, 15, 30, 31, 1_000]);
});

test('where the faster figure decides, only equal totals share a place, and the row says that they are close', () => {
  const rows = rankEntries(
    { ...BEST, tieRule: 'faster' },
    [1],
    enter(lap(60_000, 12), lap(60_000, 12), lap(60_010, 12)),
  );
  expect(rows.map(({ place }) => place)).toEqual([1, 1, 3]);
  expect(rows.map(({ isWithin }) => isWithin)).toEqual([true, true, true]);
});

test('equal totals share a place although one of them is known better, in whatever order they are given', () => {
  const entries = enter(lap(60_000, 3), lap(60_004, 3), lap(60_004, 1), drive(60_004), lap(60_020, 1));
  for (const given of [
    entries,
    entries.toReversed(),
    [2, 0, 4, 3, 1].flatMap((index) => entries[index] ?? []),
  ]) {
    const rows = rankEntries(BEST, [1], given);
    expect(rows.map(({ place }) => place)).toEqual([1, 1, 1, 1, 5]);
    expect(rows.map((row) => row.entryId)).toEqual(entries.map((entry) => entry.entryId));
  }
});

test('a time that was typed claims no ±, and no total with it does', () => {
  const mixed = [...lap(60_000, 9), ...drive(60_001).map((run) => ({ ...run, runNumber: 2 }))];
  const rows = rankEntries({ ...BEST, countedRuns: 2 }, [1], enter(mixed, drive(60_000, 60_001)));
  expect(rows.map(({ uncertaintyMs, place, isWithin }) => [uncertaintyMs, place, isWithin])).toEqual([
    [null, 1, false],
    [null, 1, false],
  ]);
  expect(
    rankEntries({ ...BEST, countedRuns: 2 }, [1], enter([...lap(60_000, 9), ...lap(60_000, 12)])),
  ).toMatchObject([{ totalMs: 120_000, uncertaintyMs: 15 }]);
});

test('without runs there is no place', () => {
  expect(rank({}, enter([], []))).toEqual([
    [null, null],
    [null, null],
  ]);
  expect(rank({ countedRuns: null }, enter([]))).toEqual([[null, null]]);
});
