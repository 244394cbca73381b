import { expect, test } from 'vitest';
import { parsedTrack } from '#web/testing/parsed-track.ts';
import {
  countResults,
  describeImport,
  EMPTY_IMPORT,
  joinResults,
  reduceTrackImport,
  type TrackImport,
  type TrackImportAction,
} from './track-import.ts';

const track = (name: string) => parsedTrack({ name });

const ANSWER = { name: 'Spa', configuration: null, location: null, country: null, message: 'Added.' };

function after(...actions: TrackImportAction[]): TrackImport {
  return actions.reduce(reduceTrackImport, EMPTY_IMPORT);
}

const parsed: TrackImportAction = { type: 'parsed', tracks: [track('Spa'), track('Zolder')] };

test('typing in one row leaves the others the objects they were', () => {
  const before = after(parsed);
  const next = reduceTrackImport(before, { type: 'edited', rowId: '1-0', field: 'name', value: 'Spa GP' });
  expect(next.rows[0]?.values.name).toBe('Spa GP');
  expect(next.rows[1]).toBe(before.rows[1]);
  expect(next.hasEdits).toBe(true);
});

test('a file that cannot be read leaves what is under review alone', () => {
  const state = after(parsed, { type: 'parsing_started' }, { type: 'parsing_failed', message: 'No JSON.' });
  expect(state.rows).toHaveLength(2);
  expect(state).toMatchObject({ phase: 'idle', fileProblem: 'No JSON.' });
});

test('another file brings rows of other ids, and takes the old results away', () => {
  const state = after(parsed, { type: 'imported', sent: [], results: [] }, parsed);
  expect(state.rows.map(({ id }) => id)).toEqual(['2-0', '2-1']);
  expect(state.results).toBeNull();
});

test('removed and discarded tracks are no longer under review', () => {
  expect(after(parsed, { type: 'removed', rowId: '1-0' }).rows.map(({ id }) => id)).toEqual(['1-1']);
  expect(after(parsed, { type: 'discarded' })).toMatchObject({ rows: [], hasEdits: false });
});

test('an import is described by what was added, and counted by result', () => {
  const statuses = ['success', 'exists', 'error'] as const;
  const results = joinResults(
    statuses.map((status, index) => ({ ...ANSWER, status, row: index + 1 })),
    statuses.map(() => ({ ...track('Spa'), row: 1 })),
  );
  expect(describeImport(results)).toBe('Successfully imported 1 of 3 tracks');
  expect(countResults(results)).toEqual({ success: 1, exists: 1, updated: 0, error: 1 });
});

test('results carry the number of their track in the file, in the order of the tracks that were sent', () => {
  // The second row of the file had a problem and was not sent.
  const sent = [1, 3, 4].map((row) => ({ ...track(`Track of row ${row}`), row }));
  const results = joinResults(
    sent.map(({ name }, index) => ({ ...ANSWER, status: 'success', row: index + 1, name })),
    sent,
  );
  expect(results.map(({ row, raw }) => [row, raw.name])).toEqual([
    [1, 'Track of row 1'],
    [3, 'Track of row 3'],
    [4, 'Track of row 4'],
  ]);
});
