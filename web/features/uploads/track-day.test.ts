import { expect, test } from 'vitest';
import type { UploadBest } from '#contract/uploads.ts';
import { readAnalysis, type UploadOutcome } from '#web/api/specified-answers/uploads.ts';
import { findOwnTrack } from './gps-analysis.ts';
import { waiting } from './lap-file-queue.ts';
import { findDayProblem, getFileDetails, getGroupDetails, joinOutcomes, listDayGroups } from './track-day.ts';

const queued = (id: string, matchedTrackId?: string) => ({
  ...waiting({ id, file: new File(['a'], id) }),
  ...(matchedTrackId !== undefined && { matchedTrackId }),
});
const NOTHING = { userCarId: '', tireCompound: '', videoUrl: '' };
const WHOLE = { userCarId: 'car-1', tireCompound: 'track-200', videoUrl: '' };

const analysisOf = (...found: [string, number][]) =>
  readAnalysis({ gpsSuggestions: found.map(([trackId, confidencePct]) => ({ trackId, confidencePct })) });
const sector = (timeMs: number, previousTimeMs: number | null) => ({ name: 'S1', timeMs, previousTimeMs });
const best = (change: Partial<UploadBest>): UploadBest => ({
  lapId: 'lap',
  lapTimeMs: 90_000,
  isNew: true,
  rank: 2,
  drivers: 3,
  isRecord: false,
  ahead: null,
  record: null,
  previous: null,
  sectors: [],
  ...change,
});

test('files of one track are no groups; those of several have one for each, the chosen track with the files that fit no other', () => {
  const [a, b, c] = [queued('a'), queued('b', 'spa'), queued('c')];
  expect(listDayGroups({ queue: [a, c], trackId: 'mugello' })).toEqual([]);
  expect(listDayGroups({ queue: [a, b, c], trackId: null })).toEqual([]);
  expect(listDayGroups({ queue: [a, b, c], trackId: 'mugello' })).toEqual([
    { trackId: 'mugello', files: [a, c] },
    { trackId: 'spa', files: [b] },
  ]);
});

test('a file goes to another track only where that fits clearly better than the chosen one', () => {
  expect(findOwnTrack(analysisOf(['spa', 96]), 'spa')).toBeNull();
  expect(findOwnTrack(analysisOf(['spa', 96]), 'mugello')).toBe('spa');
  expect(findOwnTrack(analysisOf(['indy', 96], ['gp', 81]), 'gp')).toBeNull();
  expect(findOwnTrack(analysisOf(['indy', 96], ['gp', 80]), 'gp')).toBe('indy');
  expect(findOwnTrack(analysisOf(), 'gp')).toBeNull();
});

test('what was filled in first holds for every track, then for its group, then for its file', () => {
  const day = {
    groups: { spa: { userCarId: 'car-2' } },
    files: { a: { tireCompound: 'rcomp', videoUrl: 'x' } },
  };
  const filledIn = { ...WHOLE, videoUrl: 'https://video.example/first' };
  expect(getGroupDetails(day, 'mugello', filledIn)).toEqual(WHOLE);
  expect(getGroupDetails(day, 'spa', filledIn)).toEqual({ ...WHOLE, userCarId: 'car-2' });
  expect(getFileDetails(day, { trackId: 'spa', fileId: 'a' }, filledIn)).toEqual({
    userCarId: 'car-2',
    tireCompound: 'rcomp',
    videoUrl: 'x',
  });
});

test('the first problem is named with its file; a video may be missing, and is a link where it is there', () => {
  const groups = [
    { trackId: 'spa', files: [queued('a')] },
    { trackId: 'mugello', files: [queued('b')] },
  ];
  const find = (b: typeof NOTHING) => findDayProblem(groups, ({ fileId }) => (fileId === 'b' ? b : WHOLE));
  expect(find(WHOLE)).toBeNull();
  expect(find(NOTHING)).toMatchObject({ title: 'No car selected', field: 'userCarId', trackId: 'mugello' });
  expect(find({ ...WHOLE, tireCompound: '' })).toMatchObject({
    title: 'No tire category selected',
    fileId: 'b',
  });
  expect(find({ ...WHOLE, videoUrl: 'javascript:1' })).toMatchObject({ title: 'Video link not valid' });
  expect(find({ ...WHOLE, videoUrl: 'https://video.example/b' })).toBeNull();
});

test('the best of a day is that after the last file, against what was there before the first', () => {
  const result = { fileName: 'a.csv', success: true, error: null, lapCount: 1, bestLapTimeMs: 90_000 };
  const before = { lapId: 'old', lapTimeMs: 95_000 };
  const first: UploadOutcome = {
    results: [result],
    best: best({ previous: before, sectors: [sector(30_000, 31_000)] }),
  };
  const second: UploadOutcome = {
    results: [{ ...result, fileName: 'b.csv' }],
    best: best({
      rank: 1,
      isNew: false,
      previous: { lapId: 'lap', lapTimeMs: 90_000 },
      sectors: [sector(32_000, 30_000)],
    }),
  };
  const joined = joinOutcomes(first, second);
  expect(joined.results.map(({ fileName }) => fileName)).toEqual(['a.csv', 'b.csv']);
  expect(joined.best).toEqual(
    best({ rank: 1, isNew: true, previous: before, sectors: [sector(30_000, 31_000)] }),
  );
  expect(joinOutcomes(undefined, first)).toBe(first);
  expect(joinOutcomes(first, { results: [], best: null }).best).toEqual(first.best);
});
