import { expect, test } from 'vitest';
import { readAnalysis, readUploadAnswer } from './uploads.ts';

const points = [{ lat: 51, lon: 0 }];
const files = [new File(['x'], 'morning.csv'), new File(['x'], 'evening.gpx')];

test('suggestions are read from `matchingTracks` where there is no `gpsSuggestions`', () => {
  const analysis = readAnalysis({ matchingTracks: [{ trackId: 'a', confidencePct: 91 }], gpsPoints: points });
  expect(analysis.suggestions).toEqual([{ trackId: 'a', confidencePct: 91, timing: null }]);
});

test('the best match comes first, whatever the order of the answer', () => {
  const analysis = readAnalysis({
    gpsSuggestions: [
      { trackId: 'short', confidencePct: 40 },
      { trackId: 'full', confidencePct: 96 },
    ],
  });
  expect(analysis.suggestions.map((suggestion) => suggestion.trackId)).toEqual(['full', 'short']);
});

test('results are read from a list and from under `results` alike', () => {
  const list = [{ success: true }, { success: false, error: 'No complete laps found on Harrow Ridge.' }];
  expect(readUploadAnswer(list, files)).toEqual(readUploadAnswer({ results: list }, files));
});

test('a result without a file name takes the name of the file at its index', () => {
  expect(readUploadAnswer([{ success: true }, { success: true }], files).results[1]?.fileName).toBe(
    'evening.gpx',
  );
});

test('a failure without a reason still says that the file failed', () => {
  expect(readUploadAnswer([{ success: false }], files).results[0]?.error).toBe(
    'This file could not be processed.',
  );
});

test('laps and best time are read where the server answers them', () => {
  const body = { results: [{ file: 'a.csv', success: true, lapCount: 14, bestLapTimeMs: 98_417 }] };
  expect(readUploadAnswer(body, files).results).toEqual([
    { fileName: 'a.csv', success: true, error: null, lapCount: 14, bestLapTimeMs: 98_417 },
  ]);
});
