import { asTrackId, asUserCarId } from '#contract/testing/ids.ts';
import type { TrackId } from '#contract/ids.ts';
import { expect, test } from 'vitest';
import { makeReady } from './lap-file-queue.ts';
import { findSubmitProblem } from './submit-checks.ts';
import { listCalls, type UploadDetails } from './upload-groups.ts';

const complete = {
  fileCount: 1,
  trackId: asTrackId('harrow-ridge'),
  userCarId: asUserCarId('b5c5'),
  tireCompound: 'rcomp',
  videoUrl: 'https://video.example/lap',
};

const nothing: FilledIn = { fileCount: 0, trackId: null, userCarId: '', tireCompound: '', videoUrl: '' };

const queued = (id: string, matchedTrackId?: TrackId) => ({
  ...makeReady({ id, file: new File(['a'], id) }),
  ...(matchedTrackId !== undefined && { matchedTrackId }),
});

type FilledIn = UploadDetails & { fileCount: number; trackId: TrackId | null };

function findProblem({ fileCount, trackId, ...details }: FilledIn) {
  const queue = Array.from({ length: fileCount }, (_, index) => queued(`${index}.csv`));
  const upload = { queue, trackId, details, overrides: {} };
  return findSubmitProblem(upload, listCalls(upload, undefined));
}

test('a complete upload has no problem', () => {
  expect(findProblem(complete)).toBeNull();
});

test('problems come in the order files, track, car, tires, video', () => {
  const titles = [
    nothing,
    { ...nothing, fileCount: 1 },
    { ...nothing, fileCount: 1, trackId: asTrackId('harrow-ridge') },
    { ...nothing, fileCount: 1, trackId: asTrackId('harrow-ridge'), userCarId: asUserCarId('b5c5') },
    { ...complete, videoUrl: '' },
  ].map((upload) => findProblem(upload)?.title);
  expect(titles).toEqual([
    'No files selected',
    'No track selected',
    'No car selected',
    'No tire category selected',
    'No video link provided',
  ]);
});

test('a video link of blanks counts as none', () => {
  expect(findProblem({ ...complete, videoUrl: '   ' })).toMatchObject({
    title: 'No video link provided',
    description: 'Please provide a video link for this lap.',
  });
});

test('a video link that is not http or https is refused before anything is sent', () => {
  for (const videoUrl of ['javascript:alert(1)', 'ftp://video.example/lap', 'video.example/lap']) {
    expect(findProblem({ ...complete, videoUrl })).toMatchObject({
      title: 'Video link not valid',
      description: 'The link must begin with http:// or https://.',
    });
  }
});

test('blanks around a good link do no harm', () => {
  expect(findProblem({ ...complete, videoUrl: ' https://video.example/lap ' })).toBeNull();
});

test('a problem with a field names the field', () => {
  expect(findProblem({ ...complete, tireCompound: '' })?.field).toBe('tireCompound');
  expect(findProblem({ ...complete, fileCount: 0 })?.field).toBeUndefined();
});

test('files that are all uploaded leave nothing to send', () => {
  const done = { ...queued('a.csv'), status: 'uploaded' as const };
  const { fileCount: _, trackId, ...details } = complete;
  const upload = { queue: [done], trackId, details, overrides: {} };
  expect(findSubmitProblem(upload, listCalls(upload, undefined))?.title).toBe('No files selected');
});

test('with several tracks the first problem names its file, and every file needs a video: its own or that of all', () => {
  const none: UploadDetails = { userCarId: '', tireCompound: '', videoUrl: '' };
  const whole = {
    userCarId: asUserCarId('car-1'),
    tireCompound: 'track-200',
    videoUrl: 'https://video.example/a',
  };
  const find = (b: UploadDetails, details = none) => {
    const upload = {
      queue: [queued('a', asTrackId('spa')), queued('b')],
      trackId: asTrackId('mugello'),
      details,
      overrides: { a: whole, b },
    };
    return findSubmitProblem(upload, listCalls(upload, undefined));
  };
  expect(find(whole)).toBeNull();
  expect(find(none)).toMatchObject({ title: 'No car selected', field: 'userCarId', fileId: 'b' });
  expect(find({ ...whole, tireCompound: '' })).toMatchObject({
    title: 'No tire category selected',
    fileId: 'b',
  });
  expect(find({ ...whole, videoUrl: '' })).toMatchObject({ title: 'No video link provided', fileId: 'b' });
  expect(find({ ...whole, videoUrl: '' }, { ...none, videoUrl: 'https://video.example/day' })).toBeNull();
  expect(find({ ...whole, videoUrl: 'javascript:1' })).toMatchObject({ title: 'Video link not valid' });
});
