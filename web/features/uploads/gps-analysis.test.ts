import { expect, test } from 'vitest';
import type { TimedLap } from '#contract/laps.ts';
import { readAnalysis } from '#web/api/specified-answers/uploads.ts';
import {
  describeAnalysis,
  findAnalysisProblem,
  findOwnTrack,
  findTiming,
  getTimingOn,
} from './gps-analysis.ts';

const lap: TimedLap = {
  number: 1,
  lapTimeMs: 98_417,
  uncertaintyMs: 4,
  status: 'valid',
  reasons: [],
  sectorTimesMs: [],
};

test('an answer without points is a file without GPS data', () => {
  const problem = findAnalysisProblem(readAnalysis({ gpsSuggestions: [], gpsPoints: [], gpsPointCount: 0 }));
  expect(problem?.title).toBe('No GPS data found');
  expect(findAnalysisProblem(readAnalysis({ gpsSuggestions: [] }))?.title).toBe('No GPS data found');
});

test('points without a suggestion are a track that could not be matched', () => {
  expect(findAnalysisProblem(readAnalysis({ gpsSuggestions: [], gpsPointCount: 5400 }))).toEqual({
    title: 'No matching tracks',
    description: "We couldn't confidently match a track. You can still select one manually.",
  });
});

test('a suggestion is no problem, even without points in the answer', () => {
  const analysis = readAnalysis({ gpsSuggestions: [{ trackId: 'a', confidencePct: 91 }] });
  expect(findAnalysisProblem(analysis)).toBeNull();
});

test('each suggestion brings its own laps', () => {
  const analysis = readAnalysis({
    gpsSuggestions: [
      { trackId: 'full', confidencePct: 96, lapCount: 1, bestLapTimeMs: 98_417, laps: [lap] },
      { trackId: 'short', confidencePct: 40, lapCount: 0, bestLapTimeMs: null, laps: [] },
    ],
    lapCount: 1,
    bestLapTimeMs: 98_417,
  });
  expect(findTiming(analysis, 'full')?.laps).toHaveLength(1);
  expect(findTiming(analysis, 'short')).toEqual({
    trackId: 'short',
    lapCount: 0,
    bestLapTimeMs: null,
    laps: [],
    message: null,
  });
});

test('counts of the whole answer belong to the best suggestion only', () => {
  const analysis = readAnalysis({
    gpsSuggestions: [
      { trackId: 'full', confidencePct: 96 },
      { trackId: 'short', confidencePct: 40 },
    ],
    lapCount: 14,
    bestLapTimeMs: 98_417,
  });
  expect(findTiming(analysis, 'full')).toMatchObject({ lapCount: 14, bestLapTimeMs: 98_417 });
  expect(findTiming(analysis, 'short')).toBeNull();
  expect(findTiming(analysis, 'elsewhere')).toBeNull();
});

test('an analysis for one track gives the laps there, with or without a suggestion', () => {
  expect(getTimingOn(readAnalysis({ lapCount: 3, bestLapTimeMs: 61_000 }), 'a')).toEqual({
    trackId: 'a',
    lapCount: 3,
    bestLapTimeMs: 61_000,
    laps: [],
    message: null,
  });
});

test('the reason for a failed analysis is shown as the server describes it', () => {
  const analysis = readAnalysis({ gpsSuggestions: [], gpsPointCount: 0, message: 'This is a photo.' });
  expect(describeAnalysis(analysis)).toBe('This is a photo.');
});

test('a file that was read shows its number of positions and their rate', () => {
  const analysis = readAnalysis({ gpsSuggestions: [], gpsPointCount: 5400, gpsRateHz: 9.98 });
  expect(describeAnalysis(analysis)).toBe('5,400 GPS positions read at 10 Hz.');
});

test('a file that matches no track shows the reason after what was read', () => {
  const analysis = readAnalysis({
    gpsSuggestions: [],
    gpsPointCount: 798,
    message: 'This file matches no track of the library.',
  });
  expect(describeAnalysis(analysis)).toBe(
    '798 GPS positions read. This file matches no track of the library.',
  );
});

const analysisOf = (...found: [string, number][]) =>
  readAnalysis({ gpsSuggestions: found.map(([trackId, confidencePct]) => ({ trackId, confidencePct })) });

test('a file goes to another track only where that fits clearly better than the chosen one', () => {
  expect(findOwnTrack(analysisOf(['spa', 96]), 'spa')).toBeNull();
  expect(findOwnTrack(analysisOf(['spa', 96]), 'mugello')).toBe('spa');
  expect(findOwnTrack(analysisOf(['indy', 96], ['gp', 81]), 'gp')).toBeNull();
  expect(findOwnTrack(analysisOf(['indy', 96], ['gp', 80]), 'gp')).toBe('indy');
  expect(findOwnTrack(analysisOf(), 'gp')).toBeNull();
});
