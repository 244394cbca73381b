import { expect, test } from 'vitest';
import { describeProgress, describeResult, findShare } from './describe-track-set.ts';

test('progress is in megabytes while fetching, and in layouts after', () => {
  const fetching = { state: 'fetching', progress: { done: 4_200_000, total: 10_192_889 } } as const;
  expect(describeProgress(fetching)).toBe('Fetching: 4.2 of 10.2 MB');
  expect(findShare(fetching)).toBeCloseTo(0.412, 3);
  const unknown = { state: 'fetching', progress: { done: 4_200_000, total: null } } as const;
  expect(describeProgress(unknown)).toBe('Fetching: 4.2 MB');
  expect(findShare(unknown)).toBeNull();
  expect(describeProgress({ state: 'adding', progress: { done: 1_200, total: 4_900 } })).toBe(
    'Adding: 1,200 of 4,900 layouts',
  );
  expect(describeProgress({ state: 'waiting', progress: null })).toBe('Waiting for other work to end...');
});

test('a result says what came, and why other layouts did not', () => {
  expect(describeResult({ tracks: 0, courses: 868, known: 31, duplicates: 0, leftOut: 12 })).toBe(
    'Added 868 courses, whose first drivers confirm the start line. 31 were here already, 12 are no lap.',
  );
  expect(describeResult({ tracks: 0, courses: 0, known: 40, duplicates: 0, leftOut: 0 })).toBe(
    'It added nothing new. 40 were here already.',
  );
});
