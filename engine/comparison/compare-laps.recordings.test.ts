import { expect, test } from 'vitest';
import { bestLapsOf, listTriedSamples } from '../../tests/lap-samples.ts';
import { libraryTrack } from '../../tests/library.ts';
import { isLongRun } from '../../tests/long-run.ts';
import { lineOfLap } from './build-reference-line.ts';
import { lapAlongLine } from './lap-along-line.ts';
import { compareLaps, type ComparedLap, type LapComparison } from './compare-laps.ts';
import { at } from '../fix-columns.ts';
import { distanceMeters, middle, planeAround } from '../geo.ts';
import type { TracedLap } from './lap-trace.ts';
import { toLapFile, simulateDrive, type DriveOptions, type TrueLap } from '../simulation/drive.ts';
import { KART_TRACK } from '../testing/kart-track.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import { shiftToOneSide, timedLap } from '../testing/simulated-pairs.ts';
import type { Track } from '../track.ts';

const GRATTAN = libraryTrack('grattan-raceway-full');

function drive(track: Track, options: Partial<DriveOptions>): { laps: TracedLap[]; trueLaps: TrueLap[] } {
  const { fixes, trueLaps } = simulateDrive(track, { seed: 3, laps: 3, ...options });
  const file = openFixes(toLapFile(fixes));
  return { laps: timeLaps(file, track).laps.map((lap) => ({ ...file, lap })), trueLaps };
}

function compared(
  first: TracedLap | undefined,
  second: TracedLap | undefined,
  isSameRecording = first?.trace === second?.trace,
): Omit<LapComparison, 'laps'> & ComparedLap {
  if (first === undefined || second === undefined) throw new Error('There are two laps.');
  const comparison = compareLaps(first, [{ ...second, isSameRecording }]);
  const [other] = comparison?.laps ?? [];
  if (comparison === null || other === undefined) throw new Error('The laps were driven on one track.');
  return { ...other, ...comparison };
}

function gapHalfWay({ gapMs }: Pick<ComparedLap, 'gapMs'>): number {
  return at(gapMs, Math.round(gapMs.length / 2));
}

test('laps with positions all over the Earth are not compared', () => {
  const { laps } = drive(KART_TRACK, {});
  const [first, second] = laps.map((lap) => {
    const { fixes } = lap.trace;
    const lons = fixes.lons.map((lon, fix) => (fix % 50 === 0 ? -lon : lon));
    return { ...lap, trace: { ...lap.trace, fixes: { ...fixes, lons } } };
  });
  if (first === undefined || second === undefined) throw new Error('There are two laps.');
  expect(compareLaps(first, [{ ...second, isSameRecording: true }])).toBeNull();
});

test('the gap is nothing at the start and the difference of the lap times at the end, whatever the receivers', () => {
  const receivers = [
    { rateHz: 1, noiseMeters: 1, driftMeters: 2 },
    { rateHz: 5, noiseMeters: 0.3, lossShare: 0.05 },
    { rateHz: 10, jitterMs: 5, timestampStepMs: 10 },
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
        expect(meters.every((along, station) => station === 0 || along > at(meters, station - 1))).toBe(true);
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

test('a lap compared with itself has no gap anywhere, and both speeds are those of the receiver', () => {
  const { laps } = drive(GRATTAN, {});
  const { gapMs, reference, speedsMetersPerSecond: second } = compared(laps[1], laps[1]);
  expect(gapMs.length).toBeGreaterThan(1);
  expect(Math.max(...gapMs.map(Math.abs))).toBeLessThan(2);
  reference.speedsMetersPerSecond.forEach((speed, station) =>
    expect(Math.abs(speed - at(second, station))).toBeLessThan(0.1),
  );
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
  expect(compareLaps(first, [{ ...second, isSameRecording: false }])).toBeNull();
});

test('out laps and in laps are not compared over what they never drove, nor stretched over it', () => {
  for (const [track, leadMeters] of [
    [GRATTAN, 2500],
    [KART_TRACK, 750],
  ] as const) {
    const options = { laps: 3, leadInMeters: leadMeters, leadOutMeters: leadMeters };
    const { laps } = drive(track, { ...options, receiver: { rateHz: 10 } });
    const whole = laps.slice(1, -1);
    const [best, second] = whole;
    const line = best && lineOfLap(best);
    if (!best || !second || !line) throw new Error('There are whole laps.');
    expect(compareLaps(best, [{ ...second, isSameRecording: true }], { line })).not.toBeNull();
    const odd = [laps.at(0), laps.at(-1)].filter((lap) => lap !== undefined);
    for (const lap of odd)
      expect(compareLaps(best, [{ ...lap, isSameRecording: true }], { line })).toBeNull();
    const drawn = odd.flatMap((lap) => lapAlongLine(line, lap) ?? []);
    expect(drawn.length).toBeGreaterThan(0);
    for (const { meters } of drawn) {
      expect(meters.every((along, fix) => fix === 0 || along >= at(meters, fix - 1))).toBe(true);
      const drivenMeters = at(meters, meters.length - 1) - at(meters, 0);
      expect(drivenMeters).toBeLessThan(0.95 * (line.endMeters - line.startMeters));
    }
  }
});

test('without speeds in the file, they follow from the positions', () => {
  const { laps } = drive(GRATTAN, { receiver: { rateHz: 10, hasSpeed: false } });
  const { laps: measured } = drive(GRATTAN, { receiver: { rateHz: 10 } });
  const derived = compared(laps[0], laps[1]).reference.speedsMetersPerSecond;
  const given = compared(measured[0], measured[1]).reference.speedsMetersPerSecond;
  derived.forEach((speed, station) => expect(Math.abs(speed - at(given, station))).toBeLessThan(2));
});

const SHIFTS = [0, 1, 2, 3, 4, 5, 6, 7].map((eighth) => (eighth * Math.PI) / 4);

/** Returns the same lap as another receiver might have recorded it: all positions are off by the same. */
function shifted<Lap extends TracedLap>(lap: Lap, east: number, north: number): Lap {
  const { fixes } = lap.trace;
  const plane = planeAround({ lat: at(fixes.lats, 0), lon: at(fixes.lons, 0) });
  const lats = fixes.lats.map((lat) => lat + north / plane.metersPerDegreeLat);
  const lons = fixes.lons.map((lon) => lon + east / plane.metersPerDegreeLon);
  return { ...lap, trace: { ...lap.trace, fixes: { ...fixes, lats, lons } } };
}

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length);
}

test('an offset of three metres between two receivers, in any direction, hardly moves the gap, near hairpins either', () => {
  for (const id of [
    'grattan-raceway-full',
    'silverstone-circuit-grand-prix-arena',
    'circuit-de-monaco-street-circuit',
  ]) {
    const track = libraryTrack(id);
    const [first] = drive(track, { seed: 4, receiver: { rateHz: 10 } }).laps;
    const [second] = drive(track, { seed: 5, receiver: { rateHz: 10 } }).laps;
    if (first === undefined || second === undefined) throw new Error('There are laps.');
    const plain = compared(first, second);
    for (const angle of SHIFTS) {
      const [east, north] = [3 * Math.cos(angle), 3 * Math.sin(angle)];
      const { gapMs, offsetMeters } = compared(first, shifted(second, east, north));
      const moved = Array.from(gapMs, (gap, station) => gap - at(plain.gapMs, station));
      expect(rootMeanSquare(moved)).toBeLessThan(1);
      expect(Math.abs(offsetMeters.east - plain.offsetMeters.east - east)).toBeLessThan(0.02);
      expect(Math.abs(offsetMeters.north - plain.offsetMeters.north - north)).toBeLessThan(0.02);
    }
  }
});

test('a break of the recording right after a lap does not move its end', () => {
  const { laps } = drive(GRATTAN, {});
  const [first, second] = laps;
  if (first === undefined || second === undefined) throw new Error('There are laps.');
  const { fixes } = second.trace;
  const endMs = second.lap.startTimeMs + second.lap.lapTimeMs;
  const timesMs = fixes.timesMs.map((timeMs) => (timeMs > endMs ? timeMs + 12_000 : timeMs));
  const last = { ...second, trace: { ...second.trace, fixes: { ...fixes, timesMs } } };
  const plain = compared(first, second, true);
  const moved = Array.from(
    compared(first, last, true).gapMs,
    (gap, station) => gap - at(plain.gapMs, station),
  );
  expect(rootMeanSquare(moved)).toBeLessThan(1);
});

test('recordings that begin at the line are compared from there, whichever began a little farther back', () => {
  const receiver = { rateHz: 1, coordinateDecimals: 8 };
  const { fixes } = simulateDrive(GRATTAN, { seed: 3, laps: 1, leadInMeters: 1, startTimeMs: 0, receiver });
  const [, second] = fixes;
  if (second === undefined) throw new Error('The drive has fixes.');
  // A tenth of a metre farther back on the straight with the line, at all fixes.
  const [first] = fixes;
  const share = 0.1 / distanceMeters(first ?? second, second);
  const [north, east] = [second.lat - (first?.lat ?? 0), second.lon - (first?.lon ?? 0)];
  const behind = fixes.map((fix) => ({ ...fix, lat: fix.lat - share * north, lon: fix.lon - share * east }));
  const laps = [fixes, behind].map((recorded): TracedLap | undefined => {
    const file = openFixes(toLapFile(recorded));
    const [lap] = timeLaps(file, GRATTAN).laps;
    return lap && { ...file, lap };
  });
  for (const [one, other] of [laps, laps.toReversed()]) {
    const { gapMs } = compared(one, other, true);
    expect(Math.max(...gapMs.map(Math.abs))).toBeLessThan(30);
  }
});

test('laps of one recording have no offset to take out', () => {
  const { laps } = drive(GRATTAN, {});
  expect(compared(laps[0], laps[1]).offsetMeters).toEqual({ east: 0, north: 0 });
});

test('a driver who keeps a metre to one side all round is no offset of the receiver', () => {
  const receiver = { rateHz: 10 };
  const [one, other] = [20, 21].map((seed) =>
    simulateDrive(GRATTAN, { seed, styleSeed: seed, laps: 2, receiver }),
  );
  if (one === undefined || other === undefined) throw new Error('There are two drives.');
  const first = timedLap(GRATTAN, { drive: one, lap: 0 });
  const [plain, shifted] = [other, shiftToOneSide(other)].map((drive) =>
    timedLap(GRATTAN, { drive, lap: 0 }),
  );
  if (!first || !plain || !shifted) throw new Error('All laps rank.');
  const [before, after] = [compared(first, plain), compared(first, shifted)];
  expect(Math.abs(after.offsetMeters.east - before.offsetMeters.east)).toBeLessThan(0.15);
  expect(Math.abs(after.offsetMeters.north - before.offsetMeters.north)).toBeLessThan(0.15);
});

const samplesFolder = process.env['LAP_SAMPLES'];

test.skipIf(samplesFolder === undefined)(
  'on recordings, an offset of three metres moves the gap of the best lap to itself and to the second best by less than 1 ms',
  { timeout: 300_000 },
  () => {
    let compares = 0;
    for (const sample of listTriedSamples(samplesFolder ?? '')) {
      const [best, second] = bestLapsOf(sample);
      if (best === undefined) continue;
      for (const other of second ? [best, second] : [best]) {
        const plain = compared(best, other, false);
        for (const angle of [SHIFTS[0], SHIFTS[2], SHIFTS[3], SHIFTS[5]].map(Number)) {
          const [east, north] = [3 * Math.cos(angle), 3 * Math.sin(angle)];
          const { gapMs } = compared(best, shifted(other, east, north), false);
          const moved = Array.from(gapMs, (gap, station) => gap - at(plain.gapMs, station));
          expect(rootMeanSquare(moved), sample.name).toBeLessThan(1);
          if (other === best) expect(rootMeanSquare([...gapMs]), sample.name).toBeLessThan(1);
          compares += 1;
        }
      }
    }
    expect(compares).toBeGreaterThan(isLongRun ? 200 : 20);
  },
);
