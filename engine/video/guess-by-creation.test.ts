import { expect, test } from 'vitest';
import { guessByCreation } from './guess-by-creation.ts';

const START_MS = Date.UTC(2026, 4, 16, 9, 30);
const lap = { startMs: START_MS, lapTimeMs: 90_000, utcOffsetMinutes: 120 };
const minutes = (count: number) => count * 60_000;

test('a camera that writes UTC, local time or the end of its recording is understood', () => {
  const begins = START_MS - minutes(5);
  for (const creationMs of [begins, begins + minutes(120), begins + minutes(20)])
    expect(guessByCreation({ creationMs, durationSeconds: 1_200 }, lap)).toEqual({
      kind: 'one',
      clock: { videoSeconds: 0, timeMs: begins, rate: 1 },
    });
});

test('a time that two readings fit is said, and not guessed', () => {
  expect(
    guessByCreation({ creationMs: START_MS, durationSeconds: 4 * 3_600 }, { ...lap, utcOffsetMinutes: 60 }),
  ).toEqual({ kind: 'several' });
});

test('a video of another day fits nothing', () => {
  expect(guessByCreation({ creationMs: START_MS + minutes(1_440), durationSeconds: 1_200 }, lap)).toEqual({
    kind: 'none',
  });
});
