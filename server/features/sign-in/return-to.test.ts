import { expect, test } from 'vitest';
import { safeReturnTo } from './return-to.ts';

test.each(['/', '/upload', '/track/brands-hatch-gp?tire=rcomp#board', '/profile/ana%20li'])(
  '%s is a path on this site',
  (path) => expect(safeReturnTo(path)).toBe(path),
);

test.each([
  undefined,
  '',
  'upload',
  'https://elsewhere.example/',
  '//elsewhere.example/',
  '/\\elsewhere.example/',
  '\\\\elsewhere.example',
  '/\t/elsewhere.example',
  '/.//elsewhere.example',
  'javascript:alert(1)',
  ' /upload',
  '/up\nload',
])('%j leads to the home page instead', (path) => expect(safeReturnTo(path)).toBe('/'));
