import { expect, test } from 'vitest';
import { orderChapters } from './open-recording.ts';

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
