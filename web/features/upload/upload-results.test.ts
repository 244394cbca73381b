import { expect, test } from 'vitest';
import { asLapId } from '#contract/testing/ids.ts';
import type { UploadBest } from '#contract/upload/schemas.ts';
import type { UploadOutcome } from './upload-answers.ts';
import { describeOutcome, describeResult, joinOutcomes } from './upload-results.ts';

/** The outcome of files that went well or not, in order. */
function outcomeOf(...successes: boolean[]) {
  return describeOutcome(successes.map((success) => ({ file: 'morning.csv', success })));
}

test('the outcome counts what was processed and, where there are any, what failed', () => {
  expect(outcomeOf(true, true).description).toBe('2 file(s) processed successfully.');
  expect(outcomeOf(true, false, false).description).toBe(
    '1 file(s) processed successfully. 2 file(s) failed.',
  );
  expect(outcomeOf(false)).toEqual({
    succeeded: false,
    title: 'Upload failed',
    description: 'All files failed to process. Please check your files and try again.',
  });
});

test('an empty list of results is a failure', () => {
  expect(describeOutcome([]).succeeded).toBe(false);
});

test('a result names the laps of a file, or what is wrong with it', () => {
  const result = { file: 'a.csv', success: true, lapCount: 1, bestLapTimeMs: 98_206 };
  expect(describeResult(result)).toBe('1 lap, best 1:38.206');
  expect(describeResult({ file: 'a.csv', success: true })).toBe('Laps stored');
  expect(describeResult({ file: 'a.csv', success: true, lapCount: 7 })).toBe('7 laps, none of them counts');
  expect(describeResult({ file: 'a.csv', success: true, lapCount: 1 })).toBe('1 lap, which does not count');
  expect(describeResult({ ...result, success: false, error: 'No laps.' })).toBe('No laps.');
  expect(describeResult({ ...result, success: false })).toBe('This file could not be processed.');
});

const sector = (timeMs: number, previousTimeMs: number | null) => ({ name: 'S1', timeMs, previousTimeMs });
const best = (change: Partial<UploadBest>): UploadBest => ({
  lapId: asLapId('lap'),
  lapTimeMs: 90_000,
  isNew: true,
  rank: 2,
  drivers: 3,
  isRecord: false,
  ahead: null,
  rival: null,
  record: null,
  previous: null,
  sectors: [],
  ...change,
});

test('the best of a day is that after the last file, against what was there before the first', () => {
  const result = { file: 'a.csv', success: true, lapCount: 1, bestLapTimeMs: 90_000 };
  const before = { lapId: asLapId('old'), lapTimeMs: 95_000 };
  const first: UploadOutcome = {
    results: [result],
    best: best({ previous: before, sectors: [sector(30_000, 31_000)] }),
  };
  const second: UploadOutcome = {
    results: [{ ...result, file: 'b.csv' }],
    best: best({
      rank: 1,
      isNew: false,
      previous: { lapId: asLapId('lap'), lapTimeMs: 90_000 },
      sectors: [sector(32_000, 30_000)],
    }),
  };
  const joined = joinOutcomes(first, second);
  expect(joined.results.map(({ file }) => file)).toEqual(['a.csv', 'b.csv']);
  expect(joined.best).toEqual(
    best({ rank: 1, isNew: true, previous: before, sectors: [sector(30_000, 31_000)] }),
  );
  expect(joinOutcomes(undefined, first)).toBe(first);
  expect(joinOutcomes(first, { results: [], best: null }).best).toEqual(first.best);
});
