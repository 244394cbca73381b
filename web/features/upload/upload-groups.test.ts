import { asTrackId, asUserCarId } from '#contract/testing/ids.ts';
import type { TrackId } from '#contract/ids.ts';
import { expect, test } from 'vitest';
import { makeReady } from './lap-file-queue.ts';
import { getFileDetails, groupFiles, listCalls, omitRemovedCar } from './upload-groups.ts';

const queued = (id: string, matchedTrackId?: TrackId) => ({
  ...makeReady({ id, file: new File(['a'], id) }),
  ...(matchedTrackId !== undefined && { matchedTrackId }),
});
const WHOLE = { userCarId: asUserCarId('car-1'), tireCompound: 'track-200', videoUrl: '' };

test('files of one track are one group; those of several have one for each, the chosen track with the files that fit no other', () => {
  const [a, b, c] = [queued('a'), queued('b', asTrackId('spa')), queued('c')];
  expect(groupFiles({ queue: [a, c], trackId: asTrackId('mugello') })).toEqual([
    { trackId: asTrackId('mugello'), files: [a, c] },
  ]);
  expect(groupFiles({ queue: [a, b, c], trackId: null })).toEqual([]);
  expect(groupFiles({ queue: [a, b, c], trackId: asTrackId('mugello') })).toEqual([
    { trackId: asTrackId('mugello'), files: [a, c] },
    { trackId: asTrackId('spa'), files: [b] },
  ]);
  expect(groupFiles({ queue: [], trackId: asTrackId('mugello') })).toEqual([
    { trackId: asTrackId('mugello'), files: [] },
  ]);
});

test('what is filled in holds for every file, also the video, but for what a file has of its own', () => {
  const day = {
    queue: [queued('a', asTrackId('spa')), queued('b')],
    trackId: asTrackId('mugello'),
    details: { ...WHOLE, videoUrl: 'https://video.example/day' },
    overrides: {
      a: { tireCompound: 'rcomp', videoUrl: 'x' },
      b: { userCarId: asUserCarId('car-2'), videoUrl: '  ' },
    },
  };
  expect(getFileDetails(day, 'a')).toEqual({
    userCarId: asUserCarId('car-1'),
    tireCompound: 'rcomp',
    videoUrl: 'x',
  });
  expect(getFileDetails(day, 'b')).toEqual({ ...day.details, userCarId: asUserCarId('car-2') });
  expect(getFileDetails(day, 'c')).toEqual(day.details);
});

test('files of one track go in one call; those of several have a call each with a video, without those that are done', () => {
  const [a, b, c] = [queued('a'), queued('b', asTrackId('spa')), queued('c')];
  const details = { ...WHOLE, videoUrl: 'https://video.example/day' };
  const upload = { trackId: asTrackId('mugello'), details, overrides: { b: { tireCompound: 'rcomp' } } };
  expect(listCalls({ ...upload, queue: [a, c] }, undefined)).toEqual([
    { trackId: asTrackId('mugello'), files: [a, c], details },
  ]);
  const done = { ...a, status: 'uploaded' as const };
  expect(listCalls({ ...upload, queue: [done, b, c] }, undefined)).toEqual([
    { trackId: asTrackId('mugello'), files: [c], details },
    { trackId: asTrackId('spa'), files: [b], details: { ...details, tireCompound: 'rcomp' } },
  ]);
  expect(listCalls({ ...upload, queue: [a] }, [])).toMatchObject([{ details: { userCarId: '' } }]);
});

test('a car that has left the garage is omitted, and none while the garage is not known', () => {
  const details = { userCarId: asUserCarId('car-1'), tireCompound: 'rcomp', videoUrl: '' };
  expect(omitRemovedCar(details, [{ id: asUserCarId('car-2') }])).toEqual({ ...details, userCarId: '' });
  expect(omitRemovedCar(details, [{ id: asUserCarId('car-2') }, { id: asUserCarId('car-1') }])).toBe(details);
  expect(omitRemovedCar(details, undefined)).toBe(details);
});
