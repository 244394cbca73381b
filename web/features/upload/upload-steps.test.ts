import { expect, test } from 'vitest';
import { asLapId, asTrackId } from '#contract/testing/ids.ts';
import { describeStep } from './upload-steps.ts';
import { addLapFiles } from './lap-file-queue.ts';
import { EMPTY_UPLOAD, type UploadState } from './upload-state.ts';

const { queue } = addLapFiles([], [new File(['x'], 'a.csv'), new File(['x'], 'b.gpx')]);
const describe = (state: Partial<UploadState>) => describeStep({ ...EMPTY_UPLOAD, queue, ...state }, 'Spa');

test('every step of an upload has a sentence, and there is none before the first', () => {
  expect(describe({ queue: [] })).toBe('');
  expect(describe({})).toBe('2 files chosen.');
  expect(describe({ phase: 'analyzing' })).toBe('Analyzing GPS Data...');
  expect(describe({ isPickerOpen: true })).toBe('Select the track.');
  expect(describe({ trackId: asTrackId('spa'), timing: { state: 'pending' } })).toBe(
    'Spa. Now fill in the form.',
  );
  const timing = { trackId: asTrackId('spa'), lapCount: 3, bestLapTimeMs: 98_206, laps: [], message: null };
  expect(describe({ trackId: asTrackId('spa'), timing: { state: 'known', timing } })).toBe(
    'Spa, 3 laps, best 1:38.206. Now fill in the form.',
  );
  expect(describe({ phase: 'sending', trackId: asTrackId('spa') })).toBe('Uploading...');
});

test('a result names the rank on each track, where it is known', () => {
  const result = { file: 'a.csv', success: true, lapCount: 3, bestLapTimeMs: 98_206 };
  const outcome = { trackId: asTrackId('spa'), results: [result], best: null };
  expect(describe({ queue: [], outcomes: [outcome] })).toBe('');
  const best = {
    lapId: asLapId('own'),
    lapTimeMs: 98_206,
    isNew: true,
    rank: 3,
    drivers: 24,
    isRecord: false,
    ahead: null,
    rival: null,
    record: null,
    previous: null,
    sectors: [],
  };
  expect(describe({ queue: [], outcomes: [{ ...outcome, best }] })).toBe('P3 of 24.');
  const other = { ...outcome, trackId: asTrackId('mugello'), best: { ...best, rank: 1 } };
  expect(describe({ queue: [], outcomes: [{ ...outcome, best }, other] })).toBe('P3 of 24. P1 of 24.');
});
