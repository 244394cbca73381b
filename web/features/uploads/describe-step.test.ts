import { expect, test } from 'vitest';
import { describeStep } from './describe-step.ts';
import { addLapFiles } from './lap-file-queue.ts';
import { EMPTY_UPLOAD, type UploadState } from './upload-state.ts';

const { queue } = addLapFiles([], [new File(['x'], 'a.csv'), new File(['x'], 'b.gpx')]);
const say = (state: Partial<UploadState>) => describeStep({ ...EMPTY_UPLOAD, queue, ...state }, 'Spa');

test('every step of an upload is said, and nothing before the first', () => {
  expect(say({ queue: [] })).toBe('');
  expect(say({})).toBe('2 files chosen.');
  expect(say({ phase: 'analyzing' })).toBe('Analyzing GPS Data...');
  expect(say({ isPickerOpen: true })).toBe('Select the track.');
  expect(say({ trackId: 'spa', timing: { state: 'pending' } })).toBe('Spa. Now fill in the form.');
  const timing = { trackId: 'spa', lapCount: 3, bestLapTimeMs: 98_206, laps: [], message: null };
  expect(say({ trackId: 'spa', timing: { state: 'known', timing } })).toBe(
    'Spa, 3 laps, best 1:38.206. Now fill in the form.',
  );
  expect(say({ phase: 'sending', trackId: 'spa' })).toBe('Uploading...');
});

test('a result says the place, where it is known', () => {
  const result = { fileName: 'a.csv', success: true, error: null, lapCount: 3, bestLapTimeMs: 98_206 };
  const outcome = { trackId: 'spa', results: [result], best: null };
  expect(say({ queue: [], outcome })).toBe('');
  const best = {
    lapId: 'own',
    lapTimeMs: 98_206,
    isNew: true,
    rank: 3,
    drivers: 24,
    isRecord: false,
    ahead: null,
    record: null,
    previous: null,
    sectors: [],
  };
  expect(say({ queue: [], outcome: { ...outcome, best } })).toBe('P3 of 24.');
});
