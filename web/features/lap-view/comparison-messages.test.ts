import { expect, test } from 'vitest';
import { asLapId, asUserId } from '#contract/testing/ids.ts';
import {
  describeRate,
  cornerTitle,
  describeBraking,
  describeOffset,
  findGap,
  stretchTitle,
} from './comparison-messages.ts';

test('stretches are named by the corners that they lead to, and by the line', () => {
  const corners = [
    { number: 1, name: null },
    { number: 2, name: 'Eau Rouge' },
  ];
  const titles = [1, 2, 3].map((number) => stretchTitle({ kind: 'straight', number }, corners));
  expect(cornerTitle(5, null)).toBe('Turn 5');
  expect(titles).toEqual(['Line to Turn 1', 'Straight to Eau Rouge', 'Eau Rouge to line']);
  expect(stretchTitle({ kind: 'corner', number: 2 }, corners)).toBe('Eau Rouge');
  expect(stretchTitle({ kind: 'straight', number: 1 }, [])).toBe('Line to line');
});

test('braking points and receivers are compared in metres', () => {
  const reference = { brakingMeters: 204, brakingDoubtMeters: 2, isBrakingClear: true };
  const braking = (
    brakingMeters: number | null,
    brakingEarlierMeters: number | null,
    changes: Partial<typeof reference> = {},
  ) => describeBraking({ ...reference, brakingMeters, brakingEarlierMeters, ...changes }, reference);
  expect(braking(190, 14)).toBe('14 m earlier');
  expect(braking(218, -14)).toBe('14 m later');
  expect(braking(202, null)).toBe('alike');
  expect(braking(185, null)).toBe('unclear');
  expect(braking(202, null, { isBrakingClear: false })).toBe('unclear');
  // A difference that is certain is said, as on the card, and points that are uncertain by 19 m are not alike.
  expect(braking(200, 4.1)).toBe('4 m earlier');
  expect(braking(204.3, -0.3)).toBe('alike');
  expect(braking(202, null, { brakingDoubtMeters: 19 })).toBe('unclear');
  expect(braking(null, null)).toBe('—');
  expect(describeOffset({ east: 1.2, north: -1 })).toBe(
    'The GPS positions of the two files are 1.6 m apart, which is corrected.',
  );
  expect(describeOffset({ east: 0, north: 0 })).toBeNull();
});

const link = (id: string) => ({
  lapId: asLapId(id),
  driverId: asUserId('luca'),
  userName: 'Luca',
  lapTimeMs: 90_000,
  gapMs: 4_000,
  sectorTimesMs: [],
});

test('a lap that ranks has a gap to the record or to the own best; an out lap has none', () => {
  const lap = {
    lapId: asLapId('lap'),
    status: 'valid' as const,
    record: link('record'),
    ownBest: link('best'),
  };
  expect(findGap(lap)).toMatchObject({ link: lap.record, words: 'to the record' });
  expect(findGap({ ...lap, lapId: lap.record.lapId })).toMatchObject({ link: lap.ownBest });
  expect(findGap({ ...lap, record: null, lapId: lap.ownBest.lapId })).toBeNull();
  for (const status of ['incomplete', 'rejected', 'simulated'] as const)
    expect(findGap({ ...lap, status })).toBeNull();
});

test('a rate is said in whole positions, or in seconds between them', () => {
  expect([25, 9.7, 1, 0.98].map(describeRate)).toEqual([
    '25 positions a second',
    '10 positions a second',
    '1 position a second',
    '1 position a second',
  ]);
  expect([0.5, 0.2].map(describeRate)).toEqual(['a position every 2 seconds', 'a position every 5 seconds']);
});
