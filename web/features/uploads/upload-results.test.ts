import { expect, test } from 'vitest';
import { readUploadAnswer } from '#web/api/specified-answers/uploads.ts';
import { describeOutcome } from './upload-results.ts';

const files = [new File(['x'], 'morning.csv'), new File(['x'], 'evening.gpx')];

/** The outcome of files that went well or not, in order. */
function outcomeOf(...successes: boolean[]) {
  const answer = successes.map((success) => ({ success }));
  return describeOutcome(readUploadAnswer(answer, files).results);
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
