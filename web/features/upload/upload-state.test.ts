import { asTrackId, asUserCarId } from '#contract/testing/ids.ts';
import { expect, test } from 'vitest';
import { analysis, suggestion } from '#web/testing/analysis.ts';
import { type FileResult, readAnalysis } from './upload-answers.ts';
import { listCalls, type UploadCall } from './upload-groups.ts';
import {
  addFiles,
  changeFile,
  changeDetails,
  EMPTY_UPLOAD,
  finishAnalysis,
  finishCall,
  finishSending,
  override,
  refuseVideo,
  showSentBytes,
  showTiming,
  showVideo,
  startAnalysis,
  startSending,
  stopSending,
  type UploadChange,
  type UploadState,
  withoutFile,
  withTrack,
} from './upload-state.ts';

const morning = new File(['one'], 'morning.csv', { lastModified: 1 });
const evening = new File(['two'], 'evening.gpx', { lastModified: 2 });
const morningId = 'morning.csv:3:1';
const eveningId = 'evening.gpx:3:2';

const matched = readAnalysis(
  analysis({
    gpsSuggestions: [
      suggestion(asTrackId('harrow-ridge'), 96, { lapCount: 2, bestLapTimeMs: 98_417 }),
      suggestion(asTrackId('harrow-oval'), 40),
    ],
  }),
);

function play(changes: UploadChange[], from: UploadState = EMPTY_UPLOAD): UploadState {
  return changes.reduce((state, change) => change(state), from);
}

const chosen = addFiles([morning, evening]);
const analysed = [chosen, startAnalysis, finishAnalysis(morningId, matched)];
const tracked = [...analysed, withTrack(asTrackId('harrow-ridge'))];

const statusesOf = (state: UploadState) => state.queue.map((queued) => queued.status);

test('the track dialog opens when the analysis is done', () => {
  expect(play(analysed)).toMatchObject({ phase: 'idle', isPickerOpen: true, trackId: null });
});

test('a file without GPS data opens no dialog', () => {
  const found = readAnalysis(analysis({ gpsPointCount: 0 }));
  expect(play([chosen, startAnalysis, finishAnalysis(morningId, found)])).toMatchObject({
    phase: 'idle',
    isPickerOpen: false,
  });
});

test('choosing a suggested track shows its laps at once', () => {
  expect(play(tracked)).toMatchObject({
    isPickerOpen: false,
    trackId: asTrackId('harrow-ridge'),
    timing: { state: 'known', timing: { lapCount: 2, bestLapTimeMs: 98_417 } },
  });
});

test('a track without laps of its own is timed again', () => {
  const state = play([...analysed, withTrack(asTrackId('harrow-short'))]);
  expect(state.timing).toEqual({ state: 'pending' });
});

test('a timing that arrives after another track was chosen is dropped', () => {
  const state = play([
    ...analysed,
    withTrack(asTrackId('harrow-short')),
    withTrack(asTrackId('harrow-ridge')),
    showTiming(asTrackId('harrow-short'), {
      state: 'known',
      timing: { trackId: asTrackId('harrow-short'), lapCount: 9, bestLapTimeMs: 1, laps: [], message: null },
    }),
  ]);
  expect(state.timing).toMatchObject({ timing: { trackId: asTrackId('harrow-ridge') } });
});

test('choosing new files resets the track and the suggestions, and keeps the details', () => {
  const later = new File(['three'], 'later.csv', { lastModified: 3 });
  const state = play([...tracked, changeDetails({ tireCompound: 'rcomp' }), addFiles([later])]);
  expect(state).toMatchObject({ trackId: null, analysis: null, timing: null, isPickerOpen: false });
  expect(state.details.tireCompound).toBe('rcomp');
  expect(state.queue).toHaveLength(3);
});

test('choosing only files that are there already changes no track', () => {
  expect(play([...tracked, chosen]).trackId).toBe('harrow-ridge');
});

test('an answer to an analysis that new files have overtaken is dropped', () => {
  const later = new File(['three'], 'later.csv', { lastModified: 3 });
  const state = play([chosen, startAnalysis, addFiles([later]), finishAnalysis(morningId, matched)]);
  expect(state).toMatchObject({ analysis: null, isPickerOpen: false, phase: 'idle' });
});

test('removing the analysed file takes its laps away and keeps the track', () => {
  const state = play([...tracked, withoutFile(morningId)]);
  expect(state).toMatchObject({ analysis: null, timing: null, trackId: asTrackId('harrow-ridge') });
});

test('removing another file keeps the laps', () => {
  expect(play([...tracked, withoutFile(eveningId)]).timing).not.toBeNull();
});

test('removing the file that is being analysed stops the analysis', () => {
  const reading = changeFile(morningId, { status: 'uploading' });
  const state = play([chosen, startAnalysis, reading, withoutFile(morningId)]);
  expect(state.phase).toBe('idle');
});

const { queue, details } = play(tracked);
const call = { trackId: asTrackId('harrow-ridge'), files: queue, details };
const startCall = (call: UploadCall) => showSentBytes(call, { loadedBytes: 0, totalBytes: 6 });
const sending = [
  ...tracked,
  changeDetails({ videoUrl: 'https://video.example' }),
  startSending,
  startCall(call),
];

const done: FileResult = {
  file: 'morning.csv',
  success: true,
  lapCount: 2,
  bestLapTimeMs: 98_417,
};
const failed: FileResult = { ...done, file: 'evening.gpx', success: false, error: 'No laps.' };

test('nothing can be added or removed while files are sent', () => {
  const later = new File(['three'], 'later.csv', { lastModified: 3 });
  const state = play([...sending, addFiles([later]), withoutFile(morningId)]);
  expect(state.queue).toHaveLength(2);
});

test('with one file processed everything is cleared but the results', () => {
  const state = play([...sending, finishCall(call, { results: [done, failed], best: null }), finishSending]);
  expect(state).toEqual({
    ...EMPTY_UPLOAD,
    outcomes: [{ trackId: asTrackId('harrow-ridge'), results: [done, failed], best: null }],
  });
});

test('what has become of videos while files were sent stays after them', () => {
  const read = { sizeBytes: 9, bytesRead: 1 };
  const state = play([
    ...sending,
    showVideo({ name: 'whole.mp4', share: 1, ...read }),
    showVideo({ name: 'half.mp4', share: 0.5, ...read }),
    refuseVideo('none.mp4', 'none.mp4 was left out.'),
    finishCall(call, { results: [done], best: null }),
    finishSending,
  ]);
  expect(state.videos.map(({ name }) => name)).toEqual(['half.mp4']);
  expect(state.refusals).toEqual(['none.mp4 was left out.']);
});

test('where every file failed, the form stays and each file shows the reason', () => {
  const state = play([
    ...sending,
    finishCall(call, { results: [failed, failed], best: null }),
    finishSending,
  ]);
  expect(state).toMatchObject({ phase: 'idle', trackId: asTrackId('harrow-ridge'), outcomes: [] });
  expect(state.details.videoUrl).toBe('https://video.example');
  expect(state.queue.map((queued) => queued.detail)).toEqual(['No laps.', 'No laps.']);
});

test('a request that fails as a whole keeps the form', () => {
  const state = play([...sending, stopSending('The connection was lost.')]);
  expect(statusesOf(state)).toEqual(['error', 'error']);
  expect(state).toMatchObject({ phase: 'idle', trackId: asTrackId('harrow-ridge') });
});

test('a cancelled upload leaves the files ready', () => {
  expect(statusesOf(play([...sending, stopSending(null)]))).toEqual(['ready', 'ready']);
});

test('progress that arrives after the end changes nothing', () => {
  const state = play([...sending, stopSending(null)]);
  expect(play([showSentBytes(call, { loadedBytes: 3, totalBytes: 6 })], state)).toBe(state);
});

const ofTwoTracks = [
  chosen,
  startAnalysis,
  finishAnalysis(morningId, matched),
  withTrack(asTrackId('harrow-ridge')),
  changeFile(eveningId, { matchedTrackId: asTrackId('harrow-short') }),
];
const calls = listCalls(play(ofTwoTracks), undefined);
const sendingFirst = [...ofTwoTracks, startSending, ...calls.slice(0, 1).map(startCall)];
const firstDone = [
  ...sendingFirst,
  ...calls.slice(0, 1).map((first) => finishCall(first, { results: [done], best: null })),
];

test('files of several tracks go one after the other, and what is done stays so where the next one fails', () => {
  expect(statusesOf(play(sendingFirst))).toEqual(['uploading', 'ready']);
  const stopped = play([...firstDone, ...calls.slice(1).map(startCall), stopSending('The store is full.')]);
  expect(stopped.queue.map(({ status, detail }) => [status, detail])).toEqual([
    ['uploaded', '2 laps, best 1:38.417'],
    ['error', 'The store is full.'],
  ]);
  expect(play([...sendingFirst, stopSending('No.')]).queue.map(({ detail }) => detail)).toEqual([
    'No.',
    'Not sent yet',
  ]);
});

test('an upload that goes on keeps the results of what is done, and tries again what failed', () => {
  const results = { results: [failed], best: null };
  const allTried = [...firstDone, ...calls.slice(1).map((call) => finishCall(call, results))];
  const stopped = play([...allTried, stopSending(null), startSending]);
  expect(statusesOf(stopped)).toEqual(['uploaded', 'ready']);
  expect(stopped.outcomes).toEqual([{ trackId: asTrackId('harrow-ridge'), results: [done], best: null }]);
  expect(play([...allTried, finishSending])).toMatchObject({
    ...EMPTY_UPLOAD,
    outcomes: [{ results: [done] }, { results: [failed] }],
  });
});

test('details belong to the whole upload, or to one file', () => {
  const state = play([
    ...ofTwoTracks,
    changeDetails({ userCarId: asUserCarId('car-1') }),
    override(eveningId, { userCarId: asUserCarId('car-2') }),
    override(eveningId, { tireCompound: 'rcomp' }),
  ]);
  expect(state).toMatchObject({
    details: { userCarId: asUserCarId('car-1') },
    overrides: { [eveningId]: { userCarId: asUserCarId('car-2'), tireCompound: 'rcomp' } },
  });
});

test('sentences about files that were left out stay together, of videos and of lap files', () => {
  const empty = new File([], 'empty.csv', { lastModified: 4 });
  const state = play([refuseVideo('a.mp4', 'a.mp4 was left out.'), addFiles([empty])]);
  expect(state.refusals).toEqual(['a.mp4 was left out.', 'empty.csv was left out: it is empty.']);
});
