import { expect, test } from 'vitest';
import { asLapId } from '#contract/testing/ids.ts';
import { barShare, describeGap, formatGap, gapDecimals } from './gap-view.ts';

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
  expect(describeGap(-1, lap)).toEqual({ direction: 'Ahead', of: 'of Ruben' });
  expect(describeGap(1, { ...lap, kind: 'own' })).toEqual({ direction: 'Behind', of: 'your best' });
  expect(describeGap(1, null)).toEqual({ direction: 'Behind', of: 'this drive' });
});
