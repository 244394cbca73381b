import { expect, test } from 'vitest';
import { asLapId } from '#contract/testing/ids.ts';
import { NOT_TIMED } from './drive-state.ts';
import { barShare, describeGap, formatGap, gapDecimals, holdGap } from './gap-view.ts';

test('a gap has a sign of its own, and none where it rounds to zero', () => {
  expect(formatGap(-312, 2)).toBe('−0.31');
  expect(formatGap(364, 2)).toBe('+0.36');
  expect(formatGap(-4, 2)).toBe('0.00');
  expect(formatGap(12_340, 1)).toBe('+12.3');
});

test('the bar is full at a second, and never longer', () => {
  expect(barShare(-310)).toBeCloseTo(-0.31);
  expect(barShare(5_000)).toBe(1);
  expect(barShare(-5_000)).toBe(-1);
});

test('positions once a second are worth tenths', () => {
  expect(gapDecimals(1)).toBe(1);
  expect(gapDecimals(null)).toBe(1);
  expect(gapDecimals(25)).toBe(2);
});

test('the words say the direction, and against whom', () => {
  const lap = {
    kind: 'rival' as const,
    lapId: asLapId('0'),
    driverName: 'Ruben Rumblestrip',
    lapTimeMs: 1,
    uncertaintyMs: 1,
    carName: '',
    sessionDate: '',
    timesMs: [],
    lats: [],
    lons: [],
    speedsKmh: [],
  };
  expect(describeGap(-5, 2, lap)).toEqual({ direction: 'Ahead', of: 'of Ruben' });
  expect(describeGap(5, 2, { ...lap, kind: 'own' })).toEqual({ direction: 'Behind', of: 'your best' });
  expect(describeGap(5, 2, null)).toEqual({ direction: 'Behind', of: 'this drive' });
  // A direction would contradict the figure 0.0.
  expect(describeGap(-40, 1, lap)).toEqual({ direction: 'Level', of: 'with Ruben' });
  expect(describeGap(4, 2, { ...lap, kind: 'record' })).toEqual({
    direction: 'Level',
    of: 'with the record',
  });
});

const view = (state: Partial<typeof NOT_TIMED.state>, linesPassed: number) => ({
  ...NOT_TIMED,
  state: { ...NOT_TIMED.state, phase: 'timed' as const, ...state },
  linesPassed,
});

test('after a line the gap at the line is held, not that of the first metres of the next lap', () => {
  const before = { barMs: 410, figureMs: 400, linesPassed: 3, heldUntilMs: 0, figureAtMs: 900 };
  expect(holdGap(before, view({ gapMs: 450 }, 3), 1_000)).toMatchObject({ barMs: 450, figureMs: 400 });
  const atLine = holdGap(before, view({ gapMs: 3, lineGapMs: 447 }, 4), 1_000);
  expect(atLine).toMatchObject({ barMs: 447, figureMs: 447 });
  expect(holdGap(atLine, view({ gapMs: 20, lineGapMs: 449 }, 4), 3_900)).toMatchObject({ figureMs: 449 });
  expect(holdGap(atLine, view({ gapMs: 30, lineGapMs: 449 }, 4), 4_100)).toMatchObject({ figureMs: 30 });
  const inHole = view({ gapMs: null, lineGapMs: 449, phase: 'hole' }, 4);
  expect(holdGap(atLine, inHole, 2_000)).toMatchObject({ barMs: null, figureMs: null });
});
