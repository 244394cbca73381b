import { asTrackId } from '#contract/testing/ids.ts';
import { expect, test } from 'vitest';
import type { TimedLap } from '#contract/laps/schemas.ts';
import { analysis, courseSuggestion, suggestion } from '#web/testing/analysis.ts';
import {
  describeAnalysis,
  findAnalysisProblem,
  findCourse,
  findOwnTrack,
  findTiming,
  fitsAny,
  getTimingOn,
  mayBeElsewhere,
} from './gps-analysis.ts';
import { readAnalysis } from './upload-answers.ts';

const lap: TimedLap = {
  number: 1,
  lapTimeMs: 98_417,
  uncertaintyMs: 4,
  status: 'valid',
  reasons: [],
  sectorTimesMs: [],
};

test('an answer without points is a file without GPS data', () => {
  expect(findAnalysisProblem(readAnalysis(analysis({ gpsPointCount: 0 })))?.title).toBe('No GPS data found');
});

test('points without a suggestion are a track that could not be matched', () => {
  expect(findAnalysisProblem(readAnalysis(analysis()))).toEqual({
    title: 'No matching tracks',
    description: "We couldn't confidently match a track. You can still select one manually.",
  });
});

test('a course that fits better than every track is no problem, and its line is to be confirmed', () => {
  const courses = [courseSuggestion('Adria Karting Raceway', 94)];
  const found = readAnalysis(analysis({ courses, gpsPointCount: 798 }));
  expect([findAnalysisProblem(found), findCourse(found)?.name]).toEqual([null, 'Adria Karting Raceway']);
  expect(describeAnalysis(found)).toBe(
    '798 GPS positions read. Driven on Adria Karting Raceway: confirm the start line.',
  );
  const better = readAnalysis(analysis({ courses, gpsSuggestions: [suggestion(asTrackId('a'), 94)] }));
  expect([findCourse(better), fitsAny(better), fitsAny(readAnalysis(analysis()))]).toEqual([
    null,
    true,
    false,
  ]);
});

test('a suggestion is no problem', () => {
  const found = readAnalysis(analysis({ gpsSuggestions: [suggestion(asTrackId('a'), 91)] }));
  expect(findAnalysisProblem(found)).toBeNull();
});

test('each suggestion brings its own laps', () => {
  const found = readAnalysis(
    analysis({
      gpsSuggestions: [
        suggestion(asTrackId('full'), 96, { lapCount: 1, bestLapTimeMs: 98_417, laps: [lap] }),
        suggestion(asTrackId('short'), 40),
      ],
      lapCount: 1,
      bestLapTimeMs: 98_417,
    }),
  );
  expect(findTiming(found, asTrackId('full'))).toMatchObject({
    lapCount: 1,
    bestLapTimeMs: 98_417,
    laps: [lap],
  });
  expect(findTiming(found, asTrackId('short'))).toEqual({
    trackId: asTrackId('short'),
    lapCount: 0,
    bestLapTimeMs: null,
    laps: [],
    message: null,
  });
  expect(findTiming(found, asTrackId('elsewhere'))).toBeNull();
});

test('an analysis for one track gives the laps there, with or without a suggestion', () => {
  expect(getTimingOn(readAnalysis(analysis({ lapCount: 3, bestLapTimeMs: 61_000 })), asTrackId('a'))).toEqual(
    {
      trackId: asTrackId('a'),
      lapCount: 3,
      bestLapTimeMs: 61_000,
      laps: [],
      message: null,
    },
  );
});

test('the reason for a failed analysis is shown as the server describes it', () => {
  const found = readAnalysis(analysis({ gpsPointCount: 0, message: 'This is a photo.' }));
  expect(describeAnalysis(found)).toBe('This is a photo.');
});

test('a file that was read shows its number of positions and their rate', () => {
  const found = readAnalysis(analysis({ gpsPointCount: 5400, gpsRateHz: 9.98 }));
  expect(describeAnalysis(found)).toBe('5,400 GPS positions read at 10 Hz.');
});

test('a file that matches no track shows the reason after what was read', () => {
  const message = 'This file matches no track of the library.';
  const found = readAnalysis(analysis({ gpsPointCount: 798, message }));
  expect(describeAnalysis(found)).toBe('798 GPS positions read. This file matches no track of the library.');
});

test('the position of a file is one in the middle of its recording', () => {
  const gpsPoints = [51, 52, 53].map((lat) => ({ lat, lon: 0 }));
  expect(readAnalysis(analysis({ gpsPoints })).position).toEqual({ lat: 52, lon: 0 });
  expect(readAnalysis(analysis()).position).toBeNull();
});

const analysisOf = (...found: [string, number][]) =>
  readAnalysis(analysis({ gpsSuggestions: found.map((one) => suggestion(...one)) }));

test('a file goes to another track only where that fits clearly better than the chosen one', () => {
  expect(findOwnTrack(analysisOf(['spa', 96]), asTrackId('spa'))).toBeNull();
  expect(findOwnTrack(analysisOf(['spa', 96]), asTrackId('mugello'))).toBe('spa');
  expect(findOwnTrack(analysisOf(['indy', 96], ['gp', 81]), asTrackId('gp'))).toBeNull();
  expect(findOwnTrack(analysisOf(['indy', 96], ['gp', 80]), asTrackId('gp'))).toBe('indy');
  expect(findOwnTrack(analysisOf(), asTrackId('gp'))).toBeNull();
});

test('a weak match takes a file to another track only where a lap counts there', () => {
  expect(findOwnTrack(analysisOf(['spa', 26]), asTrackId('mugello'))).toBeNull();
  const counts = suggestion('spa', 42, { lapCount: 1, bestLapTimeMs: 98_417, laps: [lap] });
  expect(findOwnTrack(readAnalysis(analysis({ gpsSuggestions: [counts] })), asTrackId('mugello'))).toBe(
    'spa',
  );
});

function mayRefusedBeElsewhere(...refusals: TimedLap['reasons'][]): boolean {
  const laps = refusals.map((reasons) => ({ ...lap, status: 'rejected' as const, reasons }));
  const timing = getTimingOn(readAnalysis(analysis()), asTrackId('meadow'));
  return mayBeElsewhere({ ...timing, lapCount: laps.length, laps });
}

test('laps may be of another track where there are none, or each is refused for place, length or direction', () => {
  expect(mayRefusedBeElsewhere()).toBe(true);
  expect(mayRefusedBeElsewhere(['too_short'], ['gap_in_data', 'off_track'])).toBe(true);
  expect(mayRefusedBeElsewhere(['wrong_direction'], ['recorded_before'])).toBe(false);
  expect(mayRefusedBeElsewhere(['sample'])).toBe(false);
});
