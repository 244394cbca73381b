import { expect, test } from 'vitest';
import { asLapId } from '#contract/testing/ids.ts';
import type { UploadBest } from '#contract/upload/schemas.ts';
import { describeImprovement, describeRank, listComparedLaps, listSectorGains } from './describe-best.ts';

const BEST: UploadBest = {
  lapId: asLapId('own'),
  lapTimeMs: 98_206,
  isNew: true,
  rank: 3,
  drivers: 1_024,
  isRecord: false,
  ahead: { lapId: asLapId('ahead'), userName: 'Ben Okafor', lapTimeMs: 97_996 },
  rival: null,
  record: { lapId: asLapId('record'), userName: 'Ana Lima', lapTimeMs: 95_000 },
  previous: { lapId: asLapId('before'), lapTimeMs: 99_058 },
  sectors: [
    { name: 'S1', timeMs: 30_000, previousTimeMs: 30_210 },
    { name: 'S2', timeMs: 31_000, previousTimeMs: 31_000 },
    { name: 'S3', timeMs: 32_000, previousTimeMs: null },
    { name: 'S4', timeMs: null, previousTimeMs: 40_000 },
  ],
};

test('a rank counts the drivers of the board', () => {
  expect(describeRank(BEST)).toBe('P3 of 1,024');
});

test('an improvement is measured against the best before; a first and a slower time are described as such', () => {
  expect(describeImprovement(BEST)).toBe('0.852 s faster than your best before.');
  expect(describeImprovement({ ...BEST, previous: null })).toBe('Your first time on this board.');
  expect(describeImprovement({ ...BEST, isNew: false })).toBe('Your best stays 1:38.206.');
});

test('only sectors that were driven before and are faster now have improved', () => {
  expect(listSectorGains(BEST)).toEqual([{ name: 'S1', gainMs: 210 }]);
});

test('a lap is compared with each other lap once, and never with itself', () => {
  expect(listComparedLaps(BEST)).toMatchObject([
    { lapId: asLapId('ahead'), label: 'Ben Okafor' },
    { lapId: asLapId('record'), label: 'Track record' },
    { lapId: asLapId('before'), label: 'Your best before' },
  ]);
  const second = { ...BEST, record: BEST.ahead, previous: { lapId: asLapId('own'), lapTimeMs: 98_206 } };
  expect(listComparedLaps(second)).toMatchObject([{ lapId: asLapId('ahead'), label: 'Ben Okafor' }]);
  expect(listComparedLaps({ ...BEST, ahead: null, record: null, previous: null })).toEqual([]);
});

test('a rival in the same car comes before the next driver ahead, whatever that one drives', () => {
  const rival = { lapId: asLapId('rival'), userName: 'Cem Aydin', lapTimeMs: 97_100, shares: 'car' as const };
  expect(listComparedLaps({ ...BEST, rival })[0]).toMatchObject({
    lapId: asLapId('rival'),
    label: 'Cem Aydin, same car',
  });
  expect(listComparedLaps({ ...BEST, rival }).some(({ lapId }) => lapId === BEST.ahead?.lapId)).toBe(false);
});

test('the faster of two laps is the reference', () => {
  expect(listComparedLaps(BEST).map(({ lapUrl }) => lapUrl)).toEqual([
    { lapId: asLapId('ahead'), otherIds: [asLapId('own')] },
    { lapId: asLapId('record'), otherIds: [asLapId('own')] },
    { lapId: asLapId('own'), otherIds: [asLapId('before')] },
  ]);
});
