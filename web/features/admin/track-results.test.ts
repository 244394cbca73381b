import { expect, test } from 'vitest';
import { countResults, describeImport, readTrackResults } from './track-results.ts';

const sent = [{ name: 'Spa' }, { name: 'Zolder' }, { name: 'Mettet' }];

test('results are read in the order of the tracks that were sent, whatever their order in the answer', () => {
  const results = readTrackResults(
    [
      { row: 3, status: 'error', message: 'The library is full.' },
      { row: 1, status: 'success', message: 'Added.', trackId: 'spa' },
      { row: 2, status: 'exists', message: 'It is there.', trackId: 'zolder' },
    ],
    sent,
  );
  expect(results.map(({ name, status, trackId }) => [name, status, trackId])).toEqual([
    ['Spa', 'success', 'spa'],
    ['Zolder', 'exists', 'zolder'],
    ['Mettet', 'error', null],
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
