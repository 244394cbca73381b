import { expect, test } from 'vitest';
import { findSubmitProblem, forgetRemovedCar } from './submit-checks.ts';

const complete = {
  fileCount: 1,
  trackId: 'harrow-ridge',
  userCarId: 'b5c5',
  tireCompound: 'rcomp',
  videoUrl: 'https://video.example/lap',
};

const nothing = { fileCount: 0, trackId: null, userCarId: '', tireCompound: '', videoUrl: '' };

test('a complete upload has no problem', () => {
  expect(findSubmitProblem(complete)).toBeNull();
});

test('problems come in the order files, track, car, tires, video', () => {
  const titles = [
    nothing,
    { ...nothing, fileCount: 1 },
    { ...nothing, fileCount: 1, trackId: 'harrow-ridge' },
    { ...nothing, fileCount: 1, trackId: 'harrow-ridge', userCarId: 'b5c5' },
    { ...complete, videoUrl: '' },
  ].map((upload) => findSubmitProblem(upload)?.title);
  expect(titles).toEqual([
    'No files selected',
    'No track selected',
    'No car selected',
    'No tire category selected',
    'No video link provided',
  ]);
});

test('a video link of blanks counts as none', () => {
  expect(findSubmitProblem({ ...complete, videoUrl: '   ' })).toMatchObject({
    title: 'No video link provided',
    description: 'Please provide a video link for this lap.',
  });
});

test('a video link that is not http or https is refused before anything is sent', () => {
  for (const videoUrl of ['javascript:alert(1)', 'ftp://video.example/lap', 'video.example/lap']) {
    expect(findSubmitProblem({ ...complete, videoUrl })).toMatchObject({
      title: 'Video link not valid',
      description: 'The link must begin with http:// or https://.',
    });
  }
});

test('blanks around a good link do no harm', () => {
  expect(findSubmitProblem({ ...complete, videoUrl: ' https://video.example/lap ' })).toBeNull();
});

test('a problem with a field names the field', () => {
  expect(findSubmitProblem({ ...complete, tireCompound: '' })?.field).toBe('tireCompound');
  expect(findSubmitProblem({ ...complete, fileCount: 0 })?.field).toBeUndefined();
});

test('a car that has left the garage is forgotten, and none while the garage is not known', () => {
  const details = { userCarId: 'car-1', tireCompound: 'rcomp', videoUrl: '' };
  expect(forgetRemovedCar(details, [{ id: 'car-2' }])).toEqual({ ...details, userCarId: '' });
  expect(forgetRemovedCar(details, [{ id: 'car-2' }, { id: 'car-1' }])).toBe(details);
  expect(forgetRemovedCar(details, undefined)).toBe(details);
});
