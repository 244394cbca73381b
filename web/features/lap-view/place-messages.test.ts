import { expect, test } from 'vitest';
import type { ComparedStretch } from '#contract/lap-view/comparison.ts';
import {
  describePlace as describe,
  readBrakingPoints,
  readCause as read,
  type PlacedStretch,
} from './place-messages.ts';

const LAP = {
  startKmh: 180,
  slowestKmh: 114.2,
  slowestMeters: 620,
  endKmh: 150,
  brakingMeters: 560,
  brakingDoubtMeters: 1,
  isBrakingClear: true,
  startDoubtKmh: 0,
  slowestDoubtKmh: 0,
  endDoubtKmh: 0,
  brakingEarlierMeters: null,
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

/** The curves at the start, at the slowest points and at the end. */
const CURVES = {
  meters: [540, 620, 700],
  speedsKmh: [
    [180, 114.2, 150],
    [171, 107.4, 141],
  ],
} as const;

const readCause = (place: ComparedStretch) => read(place, 1, CURVES);
const points = (lap: Parameters<typeof stretch>[0]) => {
  const place = stretch(lap);
  return readBrakingPoints(place, 1, readCause(place));
};
const CORNER: PlacedStretch = { kind: 'corner', before: 'Straight to Turn 5', isLast: false };
const describePlace = (place: ComparedStretch, laps: Parameters<typeof describe>[2]) =>
  describe(readCause(place), CORNER, laps);

const LUCA = { name: 'Luca', isYou: false };
const YOU = { name: 'You', isYou: true };

test('a sentence has the speeds that the curves show', () => {
  const slower = stretch({ cause: { kind: 'slowest-speed', slowerKmh: 6.8, atMeters: 620 } });
  expect(describePlace(slower, [LUCA, YOU])).toBe('At the slowest point you do 107 km/h, Luca 114.');
  const laps = [
    { name: 'Lap 9', isYou: false },
    { name: 'Lap 8', isYou: false },
  ] as const;
  expect(describePlace(slower, laps)).toBe('At the slowest point lap 8 does 107 km/h, lap 9 114.');
  const ends = stretch({ cause: { kind: 'end-speed', slowerKmh: 9, atMeters: 700 } });
  expect(describePlace(ends, [YOU, LUCA])).toBe('Luca leaves at 141 km/h, you at 150.');
  const starts = stretch({ cause: { kind: 'start-speed', slowerKmh: 9, atMeters: 540 } });
  expect(describePlace(starts, laps)).toBe('Lap 8 enters at 171 km/h, lap 9 at 180.');
});

test('on straights, a sentence names the corner before, the end or the line', () => {
  const starts = readCause(stretch({ cause: { kind: 'start-speed', slowerKmh: 9, atMeters: 540 } }));
  const ends = readCause(stretch({ cause: { kind: 'end-speed', slowerKmh: 9, atMeters: 700 } }));
  const straight = { kind: 'straight', before: 'Turn 11', isLast: false } as const;
  expect(describe(starts, straight, [LUCA, YOU])).toBe('You leave Turn 11 at 171 km/h, Luca at 180.');
  expect(describe(ends, straight, [LUCA, YOU])).toBe('At the end of the straight you do 141 km/h, Luca 150.');
  expect(describe(starts, { ...straight, before: null }, [LUCA, YOU])).toBe(
    'You cross the line at 171 km/h, Luca at 180.',
  );
  for (const kind of ['straight', 'corner'] as const)
    expect(describe(ends, { ...straight, kind, isLast: true }, [YOU, LUCA])).toBe(
      'Luca crosses the line at 141 km/h, you at 150.',
    );
});

test('a speed on the way says where it is', () => {
  const middle = stretch({ cause: { kind: 'middle-speed', slowerKmh: 6.8, atMeters: 620 } });
  expect(describePlace(middle, [LUCA, YOU])).toBe('At 620 m you do 107 km/h, Luca 114.');
});

test('a sentence about braking has the distance between the two braking points', () => {
  const earlier = stretch({ brakingMeters: 546, cause: { kind: 'braking', earlierMeters: 14 } });
  expect(describePlace(earlier, [LUCA, YOU])).toBe('You brake 14 m earlier.');
  expect(readCause(earlier)).toMatchObject({ meters: 546, referenceMeters: 560 });
  const later = stretch({ brakingMeters: 568, cause: { kind: 'braking', earlierMeters: -8 } });
  expect(describePlace(later, [YOU, LUCA])).toBe('Luca brakes 8 m later.');
});

test('both braking points are shown where they are clear, with the distance that the table or the sentence says', () => {
  const slower = { kind: 'slowest-speed', slowerKmh: 7, atMeters: 620 } as const;
  const shown = { meters: 546, referenceMeters: 560 };
  const certain = { brakingMeters: 546, brakingEarlierMeters: 13, cause: slower };
  expect(points(certain)).toEqual({ ...shown, apartMeters: 13 });
  expect(points({ ...certain, brakingEarlierMeters: null })).toEqual({ ...shown, apartMeters: null });
  expect(points({ ...certain, isBrakingClear: false })).toBeNull();
  expect(points({ ...certain, brakingMeters: null })).toBeNull();
  const near = { brakingMeters: 556, cause: { kind: 'braking', earlierMeters: 4 } } as const;
  expect(points(near)).toMatchObject({ meters: 556, apartMeters: 4 });
});

test('a lap that is faster is described in the same words', () => {
  const faster = stretch({ cause: { kind: 'slowest-speed', slowerKmh: -2, atMeters: 620 } });
  const curves = { meters: [620], speedsKmh: [[114.2], [116.2]] } as const;
  expect(describe(read(faster, 1, curves), CORNER, [YOU, LUCA])).toBe(
    'At the slowest point Luca does 116 km/h, you 114.',
  );
});

test('nothing is claimed without a certain difference, or where both figures look alike', () => {
  const none = 'No single difference in braking or speed explains it.';
  expect(describePlace(stretch({}), [LUCA, YOU])).toBe(none);
  const cause = { kind: 'slowest-speed', slowerKmh: 0.4, atMeters: 620 } as const;
  const curves = { meters: [620], speedsKmh: [[114.2], [113.8]] } as const;
  const near = stretch({ brakingMeters: 559.6, cause: { kind: 'braking', earlierMeters: 0.4 } });
  expect(describePlace(near, [LUCA, YOU])).toBe(none);
  expect(describe(read(stretch({ cause }), 1, curves), CORNER, [LUCA, YOU])).toBe(none);
});

test('the record and the own best are named as in a sentence', () => {
  const slower = stretch({ cause: { kind: 'slowest-speed', slowerKmh: 7, atMeters: 620 } });
  const [record, best] = ['Record', 'Your best'].map((name) => ({ name, isYou: false }));
  if (!record || !best) throw new Error('There are two.');
  expect(describePlace(slower, [record, YOU])).toBe('At the slowest point you do 107 km/h, the record 114.');
  expect(describePlace(slower, [best, { name: 'This lap', isYou: false }])).toBe(
    'At the slowest point this lap does 107 km/h, your best 114.',
  );
});
