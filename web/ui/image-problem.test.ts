import { expect, test } from 'vitest';
import { findImageProblem } from './image-problem.ts';

const MAX_BYTES = 26_214_400;

test('an image of exactly the largest size can be sent', () => {
  expect(findImageProblem({ type: 'image/jpeg', size: MAX_BYTES })).toBeNull();
  expect(findImageProblem({ type: 'image/avif', size: 1 })).toBeNull();
});

test('one byte more is too large, and the sentence never says that it has what it may have', () => {
  expect(findImageProblem({ type: 'image/jpeg', size: MAX_BYTES + 1 })).toBe(
    'This image is too large: it has 25.1 MB and may have at most 25 MB.',
  );
});

test('what is no image is refused, and so are images of other kinds and files without a kind', () => {
  for (const type of ['text/csv', 'application/pdf', 'image/tiff', 'image/svg+xml', '']) {
    expect(findImageProblem({ type, size: 1000 })).toContain('Use a JPEG, PNG, WebP, GIF or AVIF file.');
  }
});

test('a HEIC photo is refused by its name, with what to do', () => {
  expect(findImageProblem({ type: 'image/heic', size: 1000 })).toMatch(/^This is a HEIC photo.*as JPEG/);
});

test('an empty file is refused', () => {
  expect(findImageProblem({ type: 'image/png', size: 0 })).toBe('This file is empty.');
});
