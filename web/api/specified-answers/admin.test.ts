import { expect, test } from 'vitest';
import { readApexImport, readApexTracks, readCarPreview, readTrackResults } from './admin.ts';

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

test('tracks are read from a list, too, and a track without a name is called by its row', () => {
  expect(readApexTracks([{ traps: [] }, { track: { name: 'Zolder' } }]).map(({ name }) => name)).toEqual([
    'Track 1',
    'Zolder',
  ]);
});

test('the warnings of an import may be next to its summary or in it', () => {
  const counts = { tracksUpserted: 2, trapsUpserted: 5 };
  expect(readApexImport({ summary: counts, warnings: ['One.'] }).warnings).toEqual(['One.']);
  expect(readApexImport({ summary: { ...counts, warnings: ['Two.'] } }).warnings).toEqual(['Two.']);
  expect(readApexImport({ summary: counts }).warnings).toEqual([]);
});

test('a preview with nothing but the counts and the new cars is understood', () => {
  const preview = readCarPreview({ summary: { total: 2, new: 0, existing: 2 }, newCars: [] });
  expect(preview).toMatchObject({ problems: [], summary: { withProblems: 0 } });
});
