import { expect, test } from 'vitest';
import { libraryTrack } from '../../tests/library.ts';
import { compareLaps } from './compare-laps.ts';
import type { LapComparison } from './compare-laps.ts';
import { at } from '../fix-columns.ts';
import { distanceMeters, middle } from '../geo.ts';
import type { TracedLap } from './lap-path.ts';
import { toLapFile, simulateDrive } from '../simulation/drive.ts';
import type { DriveOptions, TrueLap } from '../simulation/drive.ts';
import { KART_TRACK } from '../testing/kart-track.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import type { Track } from '../track.ts';

const GRATTAN = libraryTrack('grattan-raceway-full');

function drive(track: Track, options: Partial<DriveOptions>): { laps: TracedLap[]; trueLaps: TrueLap[] } {
  const { fixes, trueLaps } = simulateDrive(track, { seed: 3, laps: 3, ...options });
  const file = openFixes(toLapFile(fixes));
  return { laps: timeLaps(file, track).laps.map((lap) => ({ trace: file.trace, lap })), trueLaps };
}

function compared(first: TracedLap | undefined, second: TracedLap | undefined): LapComparison {
  if (first === undefined || second === undefined) throw new Error('There are two laps.');
  const comparison = compareLaps(first, second);
  if (comparison === null) throw new Error('The laps were driven on one track.');
  return comparison;
}

function gapHalfWay({ gapMs }: LapComparison): number {
  return at(gapMs, Math.round(gapMs.length / 2));
}

test('the gap is nothing at the start and the difference of the lap times at the end, whatever the receivers', () => {
  const receivers = [
    { rateHz: 1, noiseMeters: 1, driftMeters: 2 },
    { rateHz: 5, noiseMeters: 0.3, lossShare: 0.05 },
    { rateHz: 10, jitterMs: 5, timeStampStepMs: 10 },
    { rateHz: 25, hasSpeed: false, coordinateDecimals: 6 },
  ];
  for (const track of [GRATTAN, KART_TRACK]) {
    const { laps: others } = drive(track, { seed: 50, receiver: { rateHz: 10 } });
    for (const [seed, receiver] of receivers.entries()) {
      const { laps } = drive(track, { seed, receiver });
      for (const [index, first] of laps.entries()) {
        const second = others[index];
        const { gapMs, meters } = compared(first, second);
        expect(Math.abs(at(gapMs, 0))).toBeLessThan(1e-6);
        const difference = (second?.lap.lapTimeMs ?? 0) - first.lap.lapTimeMs;
        expect(Math.abs(at(gapMs, gapMs.length - 1) - difference)).toBeLessThan(1);
        expect(meters.every((place, station) => station === 0 || place > at(meters, station - 1))).toBe(true);
        expect(gapMs.every((gap) => Math.abs(gap) < 10_000)).toBe(true);
      }
    }
  }
});

test('on the way, the gap is that of the sector times', () => {
  const { laps, trueLaps } = drive(GRATTAN, { receiver: { rateHz: 10 } });
  const comparison = compared(laps[0], laps[1]);
  let truthMs = 0;
  GRATTAN.sectors.forEach((sector, which) => {
    truthMs += (trueLaps[1]?.sectorTimesMs[which] ?? 0) - (trueLaps[0]?.sectorTimesMs[which] ?? 0);
    const line = middle(sector.a, sector.b);
    const distances = comparison.lats.map((lat, station) =>
      distanceMeters(line, { lat, lon: at(comparison.lons, station) }),
    );
    const station = distances.indexOf(Math.min(...distances));
    expect(Math.abs(at(comparison.gapMs, station) - truthMs)).toBeLessThan(25);
  });
});

test('a lap beside itself has no gap anywhere, and both speeds are those of the receiver', () => {
  const { laps } = drive(GRATTAN, {});
  const { gapMs, speedsMetersPerSecond } = compared(laps[1], laps[1]);
  expect(Math.max(...gapMs.map(Math.abs))).toBeLessThan(2);
  const [first, second] = speedsMetersPerSecond;
  first.forEach((speed, station) => expect(Math.abs(speed - at(second, station))).toBeLessThan(0.1));
});

test('exchanging the laps turns the gap round', () => {
  const { laps } = drive(GRATTAN, { seed: 9 });
  const there = compared(laps[0], laps[2]);
  const back = compared(laps[2], laps[0]);
  expect(Math.abs(gapHalfWay(there) + gapHalfWay(back))).toBeLessThan(25);
});

test('laps of different tracks are not compared', () => {
  const { laps } = drive(GRATTAN, {});
  const { laps: others } = drive(KART_TRACK, {});
  const [first] = laps;
  const [second] = others;
  if (first === undefined || second === undefined) throw new Error('There are laps.');
  expect(compareLaps(first, second)).toBeNull();
});

test('without speeds in the file, they follow from the positions', () => {
  const { laps } = drive(GRATTAN, { receiver: { rateHz: 10, hasSpeed: false } });
  const { laps: measured } = drive(GRATTAN, { receiver: { rateHz: 10 } });
  const [derived] = compared(laps[0], laps[1]).speedsMetersPerSecond;
  const [given] = compared(measured[0], measured[1]).speedsMetersPerSecond;
  derived.forEach((speed, station) => expect(Math.abs(speed - at(given, station))).toBeLessThan(2));
});
