import { expect, test } from 'vitest';
import { asTrackId } from '#contract/testing/ids.ts';
import { findClosestToRecord } from './closest-to-record.ts';

const visit = (trackId: string, topLap: number) => ({ trackId: asTrackId(trackId), best: { topLap } });

test('the lap that is closest to the record of its track is found, however long the track is', () => {
  const bests = [
    { trackId: asTrackId('short'), lapTime: 61_000 },
    { trackId: asTrackId('long'), lapTime: 121_000 },
  ];
  const visits = [visit('short', 60_000), visit('long', 120_000)];
  expect(findClosestToRecord(bests, visits)?.trackId).toBe('long');
});

test('a track whose record is not known comes last, and a car without laps has none', () => {
  const bests = [
    { trackId: asTrackId('unknown'), lapTime: 50_000 },
    { trackId: asTrackId('known'), lapTime: 90_000 },
  ];
  expect(findClosestToRecord(bests, [visit('known', 60_000)])?.trackId).toBe('known');
  expect(findClosestToRecord(bests, [])?.trackId).toBe('unknown');
  expect(findClosestToRecord([], [])).toBeNull();
});
