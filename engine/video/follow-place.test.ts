import { expect, test } from 'vitest';
import { followPlace, JUMP_SECONDS } from './follow-place.ts';
import { comparePace, placeAt, timeAt, type TimedPlaces } from './timed-places.ts';

const meters = Array.from({ length: 501 }, (_, index) => index * 2);
/** Drives a kilometre, in a corner in its middle at 12 m/s and else at this speed. */
function drive(metersPerSecond: number): TimedPlaces {
  let elapsed = 0;
  const elapsedMs = meters.map((place, index) => {
    if (index > 0) elapsed += 2_000 / (place > 400 && place < 500 ? 12 : metersPerSecond);
    return elapsed;
  });
  return { meters, elapsedMs };
}
const [reference, own] = [drive(40), drive(32)];

test('a lap is found at every place and every place at its moment', () => {
  for (const place of [0, 1, 333.3, 450, 1_000])
    expect(placeAt(own, timeAt(own, place))).toBeCloseTo(place, 6);
  expect([placeAt(own, -100), placeAt(own, 1e9)]).toEqual([0, 1_000]);
});

test('the pace is that of both laps at the same place', () => {
  expect(comparePace(reference, own, 200)).toBeCloseTo(40 / 32, 3);
  expect(comparePace(reference, own, 450)).toBeCloseTo(1, 3);
});

test('a video that is far off jumps, and a near one catches up by its rate', () => {
  expect(followPlace({ wantedSeconds: 10, shownSeconds: 9, pace: 1.2 })).toEqual({
    seekSeconds: 10,
    playbackRate: 1.2,
  });
  expect(followPlace({ wantedSeconds: 10, shownSeconds: Number.NaN, pace: 1 }).seekSeconds).toBe(10);
  const behind = followPlace({ wantedSeconds: 10, shownSeconds: 9.9, pace: 1.2 });
  expect(behind.seekSeconds).toBeNull();
  expect(behind.playbackRate).toBeGreaterThan(1.2);
  expect(followPlace({ wantedSeconds: 10, shownSeconds: 10.1, pace: 1.2 }).playbackRate).toBeLessThan(1.2);
});

test('a video that follows a slower lap at 25 frames a second stays within 0.08 s of its place after one second', () => {
  const frameMs = 40;
  let shown = 0.29;
  let worst = 0;
  for (let timeMs = 0; timeMs < 24_000; timeMs += frameMs) {
    const place = placeAt(reference, timeMs);
    const wanted = timeAt(own, place) / 1_000;
    // The reader sees the last whole frame.
    const seen = Math.floor(shown / 0.04) * 0.04;
    if (timeMs > 1_000) worst = Math.max(worst, Math.abs(seen - wanted));
    const { seekSeconds, playbackRate } = followPlace({
      wantedSeconds: wanted,
      shownSeconds: shown,
      pace: comparePace(reference, own, place),
    });
    shown = (seekSeconds ?? shown) + (playbackRate * frameMs) / 1_000;
  }
  expect(worst).toBeLessThan(0.08);
  expect(JUMP_SECONDS).toBe(0.3);
});
