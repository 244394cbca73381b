import { expect, test } from 'vitest';
import { type FileResult, readAnalysis } from '#web/api/specified-answers/uploads.ts';
import { EMPTY_UPLOAD, reduceUpload, type UploadAction, type UploadState } from './upload-state.ts';

const morning = new File(['one'], 'morning.csv', { lastModified: 1 });
const evening = new File(['two'], 'evening.gpx', { lastModified: 2 });
const morningId = 'morning.csv:3:1';
const eveningId = 'evening.gpx:3:2';

const matched = readAnalysis({
  gpsSuggestions: [
    { trackId: 'harrow-ridge', confidencePct: 96, lapCount: 2, bestLapTimeMs: 98_417, laps: [] },
    { trackId: 'harrow-short', confidencePct: 40 },
  ],
  gpsPointCount: 5400,
});

function play(actions: UploadAction[], from: UploadState = EMPTY_UPLOAD): UploadState {
  return actions.reduce(reduceUpload, from);
}

const chosen: UploadAction = { type: 'files_chosen', files: [morning, evening] };
const analysed: UploadAction[] = [
  chosen,
  { type: 'analysis_started', fileId: morningId },
  { type: 'analysis_finished', fileId: morningId, found: matched },
];
const tracked: UploadAction[] = [...analysed, { type: 'track_chosen', trackId: 'harrow-ridge' }];

const statusesOf = (state: UploadState) => state.queue.map((queued) => queued.status);

test('while one file is analysed it shows as processing and the others as ready', () => {
  const state = play([chosen, { type: 'analysis_started', fileId: morningId }]);
  expect(state.phase).toBe('analyzing');
  expect(statusesOf(state)).toEqual(['uploading', 'ready']);
});

test('the track dialog opens when the analysis is done', () => {
  expect(play(analysed)).toMatchObject({ phase: 'idle', isPickerOpen: true, trackId: null });
});

test('a file without GPS data shows why and opens no dialog', () => {
  const found = readAnalysis({ gpsSuggestions: [], gpsPointCount: 0, message: 'This is a photo.' });
  const state = play([
    chosen,
    { type: 'analysis_started', fileId: morningId },
    { type: 'analysis_finished', fileId: morningId, found },
  ]);
  expect(state.isPickerOpen).toBe(false);
  expect(state.queue[0]).toMatchObject({ status: 'error', detail: 'This is a photo.' });
});

test('choosing a suggested track shows its laps at once', () => {
  expect(play(tracked)).toMatchObject({
    isPickerOpen: false,
    trackId: 'harrow-ridge',
    timing: { state: 'known', timing: { lapCount: 2, bestLapTimeMs: 98_417 } },
  });
});

test('a track without laps of its own is timed again', () => {
  const state = play([...analysed, { type: 'track_chosen', trackId: 'harrow-short' }]);
  expect(state.timing).toEqual({ state: 'pending' });
});

test('a timing that arrives after another track was chosen is dropped', () => {
  const state = play([
    ...analysed,
    { type: 'track_chosen', trackId: 'harrow-short' },
    { type: 'track_chosen', trackId: 'harrow-ridge' },
    {
      type: 'timing_finished',
      timing: { trackId: 'harrow-short', lapCount: 9, bestLapTimeMs: 1, laps: [], message: null },
    },
  ]);
  expect(state.timing).toMatchObject({ timing: { trackId: 'harrow-ridge' } });
});

test('choosing new files resets the track and the suggestions, and keeps the details', () => {
  const later = new File(['three'], 'later.csv', { lastModified: 3 });
  const state = play([
    ...tracked,
    { type: 'detail_changed', field: 'tireCompound', value: 'rcomp' },
    { type: 'files_chosen', files: [later] },
  ]);
  expect(state).toMatchObject({ trackId: null, analysis: null, timing: null, isPickerOpen: false });
  expect(state.details.tireCompound).toBe('rcomp');
  expect(state.queue).toHaveLength(3);
});

test('choosing only files that are there already changes no track', () => {
  expect(play([...tracked, chosen]).trackId).toBe('harrow-ridge');
});

test('an answer to an analysis that new files have overtaken is dropped', () => {
  const later = new File(['three'], 'later.csv', { lastModified: 3 });
  const state = play([
    chosen,
    { type: 'analysis_started', fileId: morningId },
    { type: 'files_chosen', files: [later] },
    { type: 'analysis_finished', fileId: morningId, found: matched },
  ]);
  expect(state).toMatchObject({ analysis: null, isPickerOpen: false, phase: 'idle' });
});

test('removing the analysed file takes its laps away and keeps the track', () => {
  const state = play([...tracked, { type: 'file_removed', fileId: morningId }]);
  expect(state).toMatchObject({ analysis: null, timing: null, trackId: 'harrow-ridge' });
});

test('removing another file keeps the laps', () => {
  expect(play([...tracked, { type: 'file_removed', fileId: eveningId }]).timing).not.toBeNull();
});

test('removing the file that is being analysed stops the analysis', () => {
  const state = play([
    chosen,
    { type: 'analysis_started', fileId: morningId },
    { type: 'file_removed', fileId: morningId },
  ]);
  expect(state.phase).toBe('idle');
});

const sending: UploadAction[] = [
  ...tracked,
  { type: 'detail_changed', field: 'videoUrl', value: 'https://video.example' },
  { type: 'sending_started' },
];

const done: FileResult = {
  fileName: 'morning.csv',
  success: true,
  error: null,
  lapCount: 2,
  bestLapTimeMs: 98_417,
};
const failed: FileResult = { ...done, fileName: 'evening.gpx', success: false, error: 'No laps.' };

test('nothing can be added or removed while files are sent', () => {
  const later = new File(['three'], 'later.csv', { lastModified: 3 });
  const state = play([
    ...sending,
    { type: 'files_chosen', files: [later] },
    { type: 'file_removed', fileId: morningId },
  ]);
  expect(state.queue).toHaveLength(2);
});

test('with one file processed everything is cleared but the results', () => {
  const state = play([
    ...sending,
    { type: 'sending_finished', outcome: { results: [done, failed], best: null } },
  ]);
  expect(state).toEqual({
    ...EMPTY_UPLOAD,
    outcome: { trackId: 'harrow-ridge', results: [done, failed], best: null },
  });
});

test('where every file failed, the form stays and each file shows the reason', () => {
  const state = play([
    ...sending,
    { type: 'sending_finished', outcome: { results: [failed, failed], best: null } },
  ]);
  expect(state).toMatchObject({ phase: 'idle', trackId: 'harrow-ridge', outcome: null });
  expect(state.details.videoUrl).toBe('https://video.example');
  expect(state.queue.map((queued) => queued.detail)).toEqual(['No laps.', 'No laps.']);
});

test('a request that fails as a whole keeps the form', () => {
  const state = play([...sending, { type: 'sending_failed', message: 'The connection was lost.' }]);
  expect(statusesOf(state)).toEqual(['error', 'error']);
  expect(state).toMatchObject({ phase: 'idle', trackId: 'harrow-ridge' });
});

test('a cancelled upload leaves the files ready', () => {
  expect(statusesOf(play([...sending, { type: 'sending_cancelled' }]))).toEqual(['ready', 'ready']);
});

test('progress that arrives after the end changes nothing', () => {
  const state = play([...sending, { type: 'sending_cancelled' }]);
  expect(play([{ type: 'bytes_sent', loadedBytes: 3, totalBytes: 6 }], state)).toBe(state);
});
