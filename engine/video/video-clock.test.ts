import { expect, test } from 'vitest';
import { addAnchor, fitVideoClock, shiftClock, toAnchors, toTimeMs, toVideoSeconds } from './video-clock.ts';

const START_MS = Date.UTC(2026, 4, 16, 9, 30);
const at = (videoSeconds: number, seconds: number) => ({ videoSeconds, timeMs: START_MS + seconds * 1_000 });

test('no anchor gives no clock, one the offset, two also the drift', () => {
  expect(fitVideoClock([])).toBeNull();
  expect(fitVideoClock([at(12, 0)])).toEqual({ ...at(12, 0), rate: 1 });
  const drifting = fitVideoClock([at(612, 600.06), at(12, 0)]);
  expect(drifting?.rate).toBeCloseTo(1.0001, 9);
  expect(drifting && toTimeMs(drifting, 312) - START_MS).toBeCloseTo(300_030, 6);
});

test('times go to the video and back', () => {
  const clock = fitVideoClock([at(12, 0), at(612, 600.06)]);
  if (!clock) throw new Error('There is no clock.');
  for (const seconds of [-5, 0, 12, 4_000])
    expect(toVideoSeconds(clock, toTimeMs(clock, seconds))).toBeCloseTo(seconds, 6);
});

test('two anchors that are too close or contradict each other give no clock', () => {
  expect(fitVideoClock([at(10, 0), at(11, 1)])).toBeNull();
  expect(fitVideoClock([at(10, 0), at(110, 103)])).toBeNull();
  expect(fitVideoClock([at(10, 100), at(110, 0)])).toBeNull();
});

test('a new anchor replaces the near one, and what contradicts it', () => {
  expect(addAnchor([], at(10, 0))).toEqual([at(10, 0)]);
  expect(addAnchor([at(10, 0)], at(12, 2.1))).toEqual([at(12, 2.1)]);
  expect(addAnchor([at(10, 0)], at(110, 100))).toEqual([at(10, 0), at(110, 100)]);
  expect(addAnchor([at(10, 0), at(110, 100)], at(108, 98.01))).toEqual([at(10, 0), at(108, 98.01)]);
  expect(addAnchor([at(10, 0), at(110, 100)], at(300, 200))).toEqual([at(300, 200)]);
});

test('a nudge moves the picture against the lap, and anchors keep the rate', () => {
  const clock = { ...at(12, 0), rate: 1.0001 };
  const later = shiftClock(clock, 1 / 25);
  expect(toVideoSeconds(later, START_MS)).toBeCloseTo(12.04, 9);
  const [lapStart, lapEnd] = [START_MS + 60_000, START_MS + 150_000];
  const anchors = toAnchors(later, lapStart, lapEnd);
  expect(anchors).toHaveLength(2);
  const again = fitVideoClock(anchors);
  expect(again && toVideoSeconds(again, START_MS)).toBeCloseTo(12.04, 6);
  expect(toAnchors({ ...clock, rate: 1 }, lapStart, lapEnd)).toHaveLength(1);
});
