import { expect, test } from 'vitest';
import type { ComparedStretch } from '#contract/lap-view/comparison.ts';
import { describePlace, readCause, type SpeedCurves } from './place-messages.ts';

const LAP = {
  startKmh: 180,
  slowestKmh: 114.2,
  slowestMeters: 620,
  endKmh: 150,
  brakingMeters: 560,
  brakingEarlierMeters: null,
  timeMs: 4_000,
  lostMs: 0,
  bandMs: 0,
  cause: null,
};

const stretch = (lap: Partial<ComparedStretch['laps'][number]>): ComparedStretch => ({
  kind: 'corner',
  number: 5,
  startMeters: 540,
  endMeters: 700,
  laps: [LAP, { ...LAP, ...lap }],
});

const CURVES: SpeedCurves = {
  meters: [540, 620, 700],
  speedsKmh: [
    [180, 114.2, 150],
    [180, 107.4, 150],
  ],
};

const LUCA = { name: 'Luca', isYou: false };
const YOU = { name: 'You', isYou: true };

test('a sentence has the speeds that the curves show', () => {
  const slower = stretch({
    slowestKmh: 107.4,
    cause: { kind: 'slowest-speed', slowerKmh: 6.8, atMeters: 620 },
  });
  expect(describePlace(slower, 1, [LUCA, YOU], CURVES)).toBe(
    'At the slowest point you do 107 km/h, Luca 114.',
  );
  const laps = [
    { name: 'Lap 9', isYou: false },
    { name: 'Lap 8', isYou: false },
  ] as const;
  expect(describePlace(slower, 1, laps, CURVES)).toBe('At the slowest point lap 8 does 107 km/h, lap 9 114.');
  const middle = stretch({ cause: { kind: 'middle-speed', slowerKmh: 6.8, atMeters: 620 } });
  expect(describePlace(middle, 1, [LUCA, YOU], CURVES)).toBe('At 620 m you do 107 km/h, Luca 114.');
  const ends = stretch({ endKmh: 141, cause: { kind: 'end-speed', slowerKmh: 9, atMeters: 700 } });
  expect(describePlace(ends, 1, [YOU, LUCA], CURVES)).toBe('Luca leaves at 141 km/h, you 150.');
  const starts = stretch({ startKmh: 171, cause: { kind: 'start-speed', slowerKmh: 9, atMeters: 540 } });
  expect(describePlace(starts, 1, laps, CURVES)).toBe('Lap 8 enters at 171 km/h, lap 9 180.');
});

test('a sentence about braking has the distance between the two braking points', () => {
  const earlier = stretch({ brakingMeters: 546, cause: { kind: 'braking', earlierMeters: 14 } });
  expect(describePlace(earlier, 1, [LUCA, YOU], CURVES)).toBe('You brake 14 m earlier.');
  expect(readCause(earlier, 1, CURVES)).toMatchObject({ meters: 546, referenceMeters: 560 });
  const later = stretch({ brakingMeters: 568, cause: { kind: 'braking', earlierMeters: -8 } });
  expect(describePlace(later, 1, [YOU, LUCA], CURVES)).toBe('Luca brakes 8 m later.');
});

test('nothing is claimed without a certain difference, or where both figures look alike', () => {
  const none = 'No single difference in braking or speed is certain.';
  expect(describePlace(stretch({}), 1, [LUCA, YOU], CURVES)).toBe(none);
  const alike = stretch({
    slowestKmh: 113.8,
    cause: { kind: 'slowest-speed', slowerKmh: 0.4, atMeters: 620 },
  });
  expect(describePlace(alike, 1, [LUCA, YOU], CURVES)).toBe(none);
});

test('the record and the own best are named as in a sentence', () => {
  const slower = stretch({ slowestKmh: 107, cause: { kind: 'slowest-speed', slowerKmh: 7, atMeters: 620 } });
  const [record, best] = ['Record', 'Your best'].map((name) => ({ name, isYou: false }));
  if (!record || !best) throw new Error('There are two.');
  expect(describePlace(slower, 1, [record, YOU], CURVES)).toBe(
    'At the slowest point you do 107 km/h, the record 114.',
  );
  expect(describePlace(slower, 1, [best, { name: 'This lap', isYou: false }], CURVES)).toBe(
    'At the slowest point this lap does 107 km/h, your best 114.',
  );
});
