import { expect, test } from 'vitest';
import { mayFollow, orderChapters } from './open-recording.ts';

const order = (...names: string[]) =>
  orderChapters(names.map((name) => new File([], name))).map(({ name }) => name);

test('chapters of GoPro cameras come in the order of the recording', () => {
  expect(order('GX030042.MP4', 'GX010042.MP4', 'GX020042.MP4')).toEqual([
    'GX010042.MP4',
    'GX020042.MP4',
    'GX030042.MP4',
  ]);
  expect(order('GP020017.MP4', 'GOPR0017.MP4', 'GP010017.MP4')).toEqual([
    'GOPR0017.MP4',
    'GP010017.MP4',
    'GP020017.MP4',
  ]);
  expect(order('b.mov', 'a.mov')).toEqual(['a.mov', 'b.mov']);
});

test('a chapter of a GoPro follows the one before of the same recording', () => {
  expect(mayFollow('GX010042.MP4', 'GX020042.MP4')).toBe(true);
  expect(mayFollow('GOPR0017.MP4', 'GP010017.MP4')).toBe(true);
  expect(mayFollow('GX010042.MP4', 'GX030042.MP4')).toBe(false);
  expect(mayFollow('GX010042.MP4', 'GX020043.MP4')).toBe(false);
  expect(mayFollow('DJI_0001.MP4', 'DJI_0007.MP4')).toBe(true);
});
