import { expect, test } from 'vitest';
import { describeOutcome, readUploadResults } from './upload-results.ts';

const files = [new File(['x'], 'morning.csv'), new File(['x'], 'evening.gpx')];

/** The outcome of files that went well or not, in order. */
function outcomeOf(...successes: boolean[]) {
  const answer = successes.map((success) => ({ success }));
  return describeOutcome(readUploadResults(answer, files));
}

test('results are read from a list and from under `results` alike', () => {
  const list = [{ success: true }, { success: false, error: 'No complete laps found on Harrow Ridge.' }];
  expect(readUploadResults(list, files)).toEqual(readUploadResults({ results: list }, files));
});

test('a result without a file name takes the name of the file in its place', () => {
  expect(readUploadResults([{ success: true }, { success: true }], files)[1]?.fileName).toBe('evening.gpx');
});

test('a failure without a reason still says that the file failed', () => {
  expect(readUploadResults([{ success: false }], files)[0]?.error).toBe('This file could not be processed.');
});

test('laps and best time are taken over where the server tells them', () => {
  const body = { results: [{ file: 'a.csv', success: true, lapCount: 14, bestLapTimeMs: 98_417 }] };
  expect(readUploadResults(body, files)).toEqual([
    { fileName: 'a.csv', success: true, error: null, lapCount: 14, bestLapTimeMs: 98_417 },
  ]);
});

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
