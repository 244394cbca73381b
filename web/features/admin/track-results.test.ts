import { expect, test } from 'vitest';
import { countResults, describeImport, readTrackResults } from './track-results.ts';

// The second row of the file had a problem and was not sent.
const sent = [
  { row: 1, name: 'Spa' },
  { row: 3, name: 'Zolder' },
  { row: 4, name: 'Mettet' },
];

test('results are read in the order of the tracks that were sent, whatever their order in the answer', () => {
  const results = readTrackResults(
    [
      { row: 3, status: 'error', message: 'The library is full.' },
      { row: 1, status: 'success', message: 'Added.', trackId: 'spa' },
      { row: 2, status: 'exists', message: 'It is there.', trackId: 'zolder' },
    ],
    sent,
  );
  expect(results.map(({ row, name, status, trackId }) => [row, name, status, trackId])).toEqual([
    [1, 'Spa', 'success', 'spa'],
    [3, 'Zolder', 'exists', 'zolder'],
    [4, 'Mettet', 'error', null],
  ]);
  expect(describeImport(results)).toBe('Successfully imported 1 of 3 tracks');
  expect(countResults(results)).toEqual({ success: 1, exists: 1, error: 1 });
});

test('any status but success is a failure where the server has words of its own', () => {
  const results = readTrackResults(
    [{ status: 'success' }, { status: 'failed', message: 'No.' }, { status: 'success' }],
    sent,
  );
  expect(results.map(({ status }) => status)).toEqual(['success', 'error', 'success']);
});

test('a track without a result was not imported', () => {
  expect(readTrackResults([{ status: 'success' }], sent).map(({ status }) => status)).toEqual([
    'success',
    'error',
    'error',
  ]);
});
