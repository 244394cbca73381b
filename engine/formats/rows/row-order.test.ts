import { expect, test } from 'vitest';
import { FixRecorder, type FixColumns } from '../../fix-columns.ts';
import { seededRandom } from '../../simulation/random.ts';
import { shuffle } from '../../testing/shuffle.ts';
import { findRowOrder, isInBlocks } from './row-order.ts';

/** Returns fixes at these times, all of them somewhere else. */
function fixesAt(timesMs: readonly number[]): FixColumns {
  const recorder = new FixRecorder();
  for (const [index, timeMs] of timesMs.entries()) recorder.add(timeMs, 48 + index / 1e5, 11, 30);
  return recorder.finish();
}

const TENTHS = Array.from({ length: 600 }, (_, index) => 100 * index);

test('rows are newest first where the times run back', () => {
  const back = TENTHS.toReversed();
  expect(findRowOrder(fixesAt(back))).toBe('newest-first');
  expect(findRowOrder(fixesAt(TENTHS))).toBe('by-time');
  expect(findRowOrder(fixesAt(back.map((timeMs, index) => timeMs + (index % 2) * 250)))).not.toBe(
    'newest-first',
  );
});

test('rows are in no order where half of the steps go back', () => {
  expect(findRowOrder(fixesAt(shuffle(TENTHS, seededRandom(1))))).toBe('none');
  expect(findRowOrder(fixesAt([...TENTHS, ...TENTHS]))).toBe('by-time');
  const corrected = TENTHS.map((timeMs, index) => timeMs - 150 * (index % 7 === 0 ? 1 : 0));
  expect(findRowOrder(fixesAt(corrected))).toBe('by-time');
});

/** Cuts times into blocks of so many and puts these in another order. */
function inBlocks(timesMs: readonly number[], size: number): number[] {
  const blocks = Array.from({ length: timesMs.length / size }, (_, block) =>
    timesMs.slice(block * size, (block + 1) * size),
  );
  return shuffle(blocks, seededRandom(2)).flat();
}

test.each([12, 50, 100, 200])('blocks of %i rows in another order are found', (size) => {
  expect(isInBlocks(fixesAt(inBlocks(TENTHS, size)))).toBe(true);
});

test.each([
  ['in order', TENTHS],
  ['twice', [...TENTHS, ...TENTHS]],
  ['with a clock that begins again', [...TENTHS, ...TENTHS.map((timeMs) => timeMs + 33)]],
  [
    'with a clock that begins again with every lap',
    [0, 1, 2, 3].flatMap((lap) => TENTHS.map((t) => t + 7 * lap)),
  ],
  [
    'with a clock that is set back for a moment',
    TENTHS.map((t, index) => t - (index % 200 === 0 ? 5000 : 0)),
  ],
  ['of two sessions, the later one first', [...TENTHS.map((timeMs) => timeMs + 3_600_000), ...TENTHS]],
])('rows %s are not sorted', (_, timesMs) => {
  expect(isInBlocks(fixesAt(timesMs))).toBe(false);
});
