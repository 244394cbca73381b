import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { asTrackId } from '#contract/testing/ids.ts';
import { analysis, courseSuggestion, suggestion } from '#web/testing/analysis.ts';
import { readAnalysis } from './upload-answers.ts';
import { chooseFiles, chooseTrack, matchAgain, processFiles } from './process-files.ts';
import { listCalls } from './upload-groups.ts';
import {
  addFiles,
  finishAnalysis,
  finishCall,
  finishSending,
  startAnalysis,
  startSending,
  withoutFile,
} from './upload-state.ts';
import { Upload } from './upload-store.ts';

const morning = new File(['one'], 'morning.csv', { lastModified: 1 });
const evening = new File(['two'], 'evening.csv', { lastModified: 2 });

beforeEach(() => vi.stubGlobal('window', new EventTarget()));
afterEach(() => vi.unstubAllGlobals());

/** Gives an upload whose first file is analysed; `check` answers the calls for the second one. */
function analyzedUpload(check: () => Promise<Response>): Upload {
  vi.stubGlobal('fetch', check);
  const upload = new Upload();
  const suggestion = {
    trackId: asTrackId('spa'),
    confidencePct: 96,
    lapCount: 2,
    bestLapTimeMs: 98_417,
    laps: [],
  };
  upload.change(addFiles([morning, evening]));
  upload.change(startAnalysis);
  upload.change(
    finishAnalysis(
      'morning.csv:3:1',
      readAnalysis({
        gpsSuggestions: [suggestion],
        courses: [],
        gpsPoints: [],
        gpsPointCount: 1,
        gpsRateHz: 10,
        lapCount: 2,
        bestLapTimeMs: 98_417,
        format: 'GPX',
      }),
    ),
  );
  return upload;
}

test('a file that the server checks shows its laps', async () => {
  const gpsSuggestions = [
    { trackId: asTrackId('spa'), confidencePct: 91, lapCount: 3, bestLapTimeMs: 99_001, laps: [] },
  ];
  const upload = analyzedUpload(() =>
    Promise.resolve(Response.json({ gpsSuggestions, gpsPoints: [], gpsPointCount: 9 })),
  );
  await chooseTrack(upload, asTrackId('spa'));
  expect(upload.state.queue[1]).toMatchObject({ status: 'ready', detail: '3 laps, best 1:39.001' });
});

test('a file that the server cannot check stays as it was chosen', async () => {
  const upload = analyzedUpload(() => Promise.resolve(new Response('{"message":"Busy."}', { status: 503 })));
  await chooseTrack(upload, asTrackId('spa'));
  expect(upload.state.queue[1]).toMatchObject({ status: 'ready', detail: '1 KB' });
});

test('a mistake of ours in a check is not taken for an answer of the server', async () => {
  const upload = analyzedUpload(() => Promise.resolve(Response.json(null)));
  await expect(chooseTrack(upload, asTrackId('spa'))).rejects.toThrow(TypeError);
  expect(upload.state.queue[1]).toMatchObject({ status: 'ready', detail: '1 KB' });
});

test('a file that is read while others are sent is added once they are, beside their outcome', async () => {
  const upload = analyzedUpload(() => Promise.reject(new Error('No call is made.')));
  upload.change({ trackId: asTrackId('spa') });
  const calls = listCalls(upload.state, undefined);
  upload.change(startSending);
  const chosen = chooseFiles(upload, [new File(['three'], 'GX01.MP4.csv', { lastModified: 3 })]);
  for (const call of calls) {
    const results = call.files.map(({ file }) => ({ file: file.name, success: true }));
    upload.change(finishCall(call, { results, best: null }));
  }
  upload.change(finishSending);
  await chosen;
  expect(upload.state.queue.map(({ file }) => file.name)).toEqual(['GX01.MP4.csv']);
  expect(upload.state.outcomes).toHaveLength(1);
});

test('a new step stops the one before, and a check that was stopped changes nothing', async () => {
  const upload = analyzedUpload(() => {
    upload.beginStep();
    return Promise.reject(new DOMException('Stopped.', 'AbortError'));
  });
  await chooseTrack(upload, asTrackId('spa'));
  expect(upload.state.queue[1]?.detail).toBe('Timing the laps…');
});

const NO_GPS = analysis({ gpsPointCount: 0, message: 'This is a photo.' });
const WITH_GPS = analysis({ gpsSuggestions: [suggestion(asTrackId('spa'), 91)] });

/** Processes two files, for which the server gives `answers` in turn. */
async function processTwo(answers: readonly object[], onAnalysis?: (upload: Upload) => void) {
  const upload = new Upload();
  let calls = 0;
  vi.stubGlobal('fetch', () => {
    onAnalysis?.(upload);
    calls += 1;
    return Promise.resolve(Response.json(answers[calls - 1] ?? NO_GPS));
  });
  upload.change(addFiles([morning, evening]));
  await processFiles(upload);
  return { upload, calls };
}

test('while one file is analysed it shows as processing and the others as ready', async () => {
  const seen: string[][] = [];
  await processTwo([WITH_GPS], ({ state }) => {
    expect(state.phase).toBe('analyzing');
    seen.push(state.queue.map(({ status }) => status));
  });
  expect(seen).toEqual([['uploading', 'ready']]);
});

test('a file that cannot be read is passed over, and its row says why', async () => {
  const { upload, calls } = await processTwo([NO_GPS, WITH_GPS]);
  expect(calls).toBe(2);
  expect(upload.state).toMatchObject({
    phase: 'idle',
    isPickerOpen: true,
    analysis: { fileId: 'evening.csv:3:2' },
  });
  expect(upload.state.queue).toMatchObject([
    { status: 'error', detail: 'This is a photo.' },
    { status: 'ready' },
  ]);
});

test('if no file can be read, every row says why and nothing is to be chosen', async () => {
  const { upload, calls } = await processTwo([NO_GPS, NO_GPS]);
  expect(calls).toBe(2);
  expect(upload.state).toMatchObject({ phase: 'idle', isPickerOpen: false });
  expect(upload.state.queue.map(({ status }) => status)).toEqual(['error', 'error']);
});

test('a file that was removed meanwhile is not analysed', async () => {
  const { upload, calls } = await processTwo([NO_GPS, WITH_GPS], (upload) => {
    upload.change(withoutFile('evening.csv:3:2'));
  });
  expect(calls).toBe(1);
  expect(upload.state).toMatchObject({ phase: 'idle', isPickerOpen: false });
});

const NO_TRACK = analysis();
const ON_COURSE = analysis({ courses: [courseSuggestion('Adria Karting Raceway', 94)] });

test('a file that fits nothing is matched again, and opens the choice where it fits by then', async () => {
  const { upload } = await processTwo([NO_TRACK, NO_TRACK, ON_COURSE]);
  upload.change({ isPickerOpen: false });
  expect(await matchAgain(upload)).toBe(false);
  expect(upload.state).toMatchObject({ isPickerOpen: false, analysis: { found: { courses: [] } } });
  expect(await matchAgain(upload)).toBe(true);
  expect(upload.state).toMatchObject({
    isPickerOpen: true,
    analysis: { fileId: 'morning.csv:3:1', found: { courses: ON_COURSE.courses } },
  });
  expect(upload.state.queue[0]?.detail).toContain('Adria Karting Raceway: confirm the start line');
});

test('a file is not matched again over a track that was chosen meanwhile', async () => {
  const { upload } = await processTwo([NO_TRACK, ON_COURSE], (upload) => {
    if (upload.state.analysis !== null) upload.change({ trackId: asTrackId('spa') });
  });
  await matchAgain(upload);
  expect(upload.state).toMatchObject({ trackId: asTrackId('spa'), analysis: { found: { courses: [] } } });
});
