import { expect, test } from 'vitest';
import { bestLapsOf, listTriedSamples } from '../../tests/lap-samples.ts';
import { LIBRARY, libraryTrack } from '../../tests/library.ts';
import { isLongRun } from '../../tests/long-run.ts';
import { at } from '../fix-columns.ts';
import { planeAround, toPlane, toPosition } from '../geo.ts';
import { simulateDrive, toLapFile } from '../simulation/drive.ts';
import { lineOfOutline } from './line-of-outline.ts';
import { KART_TRACK } from '../testing/kart-track.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import { isRanking } from '../timing/laps.ts';
import type { Track } from '../track.ts';
import { lineOfLap, lineOfLaps } from './build-reference-line.ts';
import { compareLaps, type LapComparison } from './compare-laps.ts';
import type { TracedLap } from './lap-trace.ts';
import { decodeReferenceLine, encodeReferenceLine, pointAt, type ReferenceLine } from './reference-line.ts';

const GRATTAN = libraryTrack('grattan-raceway-full');
const RECEIVER = { rateHz: 10, noiseMeters: 0.05, driftMeters: 0.7, speedNoiseMetersPerSecond: 0.1 };

function drive(track: Track, seed: number, receiver = RECEIVER): TracedLap {
  const file = openFixes(toLapFile(simulateDrive(track, { seed, laps: 1, receiver }).fixes));
  const [lap] = timeLaps(file, track).laps.filter(isRanking);
  if (lap === undefined) throw new Error('The drive has a lap.');
  return { ...file, lap };
}

function known(line: ReferenceLine | null): ReferenceLine {
  if (line === null) throw new Error('There is a line.');
  return line;
}

function compared(laps: readonly TracedLap[], line: ReferenceLine): LapComparison {
  const [first, ...others] = laps;
  const comparison =
    first &&
    compareLaps(
      first,
      others.map((lap) => ({ ...lap, isSameRecording: false })),
      { line },
    );
  if (!comparison) throw new Error('The laps were driven on one track.');
  return comparison;
}

function shifted(lap: TracedLap, east: number, north: number): TracedLap {
  const { fixes } = lap.trace;
  const plane = planeAround({ lat: at(fixes.lats, 0), lon: at(fixes.lons, 0) });
  const lats = fixes.lats.map((lat) => lat + north / plane.metersPerDegreeLat);
  const lons = fixes.lons.map((lon) => lon + east / plane.metersPerDegreeLon);
  return { ...lap, trace: { ...lap.trace, fixes: { ...fixes, lats, lons } } };
}

/** Returns how far apart two lines are, across the direction of driving, at 200 points: the root of the mean square and the largest. */
function distances(one: ReferenceLine, other: ReferenceLine): { rms: number; largest: number } {
  const rest = Array.from({ length: 200 }, (_, index) => {
    const meters = (index / 200) * (one.endMeters - one.startMeters);
    const { x, y } = toPlane(other.plane, toPosition(one.plane, pointAt(one, one.startMeters + meters)));
    // Before its start and after its end, a line passes by its other end.
    const first = Math.max(0, Math.round(other.startMeters + meters - 40));
    const squares = other.xs
      .subarray(first, first + 80)
      .map((otherX, entry) => (otherX - x) ** 2 + (at(other.ys, first + entry) - y) ** 2);
    const nearest = first + squares.indexOf(Math.min(...squares));
    return Math.abs(
      (x - at(other.xs, nearest)) * at(other.directionYs, nearest) -
        (y - at(other.ys, nearest)) * at(other.directionXs, nearest),
    );
  });
  return { rms: rootMeanSquare(rest), largest: Math.max(...rest) };
}

test('the line of many laps is the same whichever of them comes first, and one wide lap hardly moves it', () => {
  const laps = [1, 2, 3, 4, 5].map((seed) => drive(GRATTAN, seed));
  const line = known(lineOfLaps(laps));
  expect(distances(line, known(lineOfLaps(laps.toReversed()))).rms).toBeLessThan(0.3);
  const [first, ...others] = laps;
  if (first === undefined) throw new Error('There are laps.');
  const wide = known(lineOfLaps([...others, shifted(first, 20, 0)]));
  expect(distances(line, wide).rms).toBeLessThan(0.5);
});

test('laps of other tracks are left out of a line', () => {
  const laps = [1, 2, 3].map((seed) => drive(GRATTAN, seed));
  const line = known(lineOfLaps(laps));
  const mixed = known(lineOfLaps([...laps, drive(KART_TRACK, 1)]));
  expect(distances(line, mixed).largest).toBeLessThan(0.01);
  expect(lineOfLaps([])).toBeNull();
});

test('a stored line is the same to the millimetre; bytes that are damaged give null', () => {
  const line = known(lineOfLap(drive(GRATTAN, 1)));
  const bytes = encodeReferenceLine(line);
  const stored = known(decodeReferenceLine(bytes));
  expect(stored).toMatchObject({ length: line.length, startMeters: line.startMeters, plane: line.plane });
  line.xs.forEach((x, point) => {
    expect(Math.abs(at(stored.xs, point) - x)).toBeLessThan(0.000_51);
    expect(Math.abs(at(stored.ys, point) - at(line.ys, point))).toBeLessThan(0.000_51);
  });
  expect(bytes.length).toBeLessThan(5 * line.length);
  for (const broken of [bytes.subarray(1), bytes.subarray(0, 500), new Uint8Array(0), new Uint8Array(900)])
    expect(decodeReferenceLine(broken)).toBeNull();
});

test('every outline of the library gives a line that is as long as the track', () => {
  for (const track of LIBRARY) {
    const line = known(lineOfOutline(track));
    const length = line.endMeters - line.startMeters;
    if (track.lengthMeters !== null)
      expect(Math.abs(length - track.lengthMeters) / track.lengthMeters, track.id).toBeLessThan(0.05);
    expect(line.startMeters).toBeGreaterThan(100);
    expect(line.length - line.endMeters).toBeGreaterThan(100);
  }
  expect(lineOfOutline({ ...GRATTAN, outline: null })).toBeNull();
});

test('along the line of the track, up to four laps have the gaps that each pair has by itself', () => {
  const line = known(lineOfLaps([11, 12, 13, 14, 15].map((seed) => drive(GRATTAN, seed))));
  const laps = [1, 2, 3, 4].map((seed) => drive(GRATTAN, seed));
  const together = compared(laps, line);
  const [first, ...others] = laps;
  if (first === undefined) throw new Error('There are laps.');
  others.forEach((lap, index) => {
    const { gapMs } = together.laps[index] ?? { gapMs: new Float64Array() };
    const [pair] = compared([first, lap], line).laps;
    expect(pair?.gapMs).toEqual(gapMs);
    expect(Math.abs(at(gapMs, gapMs.length - 1) - (lap.lap.lapTimeMs - first.lap.lapTimeMs))).toBeLessThan(1);
    expect(at(gapMs, 0)).toBe(0);
  });
});

test('exchanging the laps turns the gap round, corner by corner too, since neither is special', () => {
  const line = known(lineOfLaps([11, 12, 13].map((seed) => drive(GRATTAN, seed))));
  const [one, other] = [drive(GRATTAN, 1), drive(GRATTAN, 2)];
  const [there, back] = [compared([one, other], line), compared([other, one], line)];
  const [a, b] = [there.laps[0]?.gapMs, back.laps[0]?.gapMs];
  a?.forEach((gap, station) => expect(Math.abs(gap + at(b ?? a, station))).toBeLessThan(5));
  expect(back.corners.map(({ apexMeters }) => apexMeters)).toEqual(
    there.corners.map(({ apexMeters }) => apexMeters),
  );
});

const DIRECTIONS = [0, 1, 2, 3, 4, 5, 6, 7].map((eighth) => (eighth * Math.PI) / 4);

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length);
}

/**
 * Returns the RMS, in milliseconds, by which the gap moves where the receiver of either lap is off by three metres; the
 * worst of some directions.
 */
function movedByOffset(
  one: TracedLap,
  other: TracedLap,
  line: ReferenceLine,
  directions = DIRECTIONS,
): number {
  const gapOf = (laps: TracedLap[]) => compared(laps, line).laps[0]?.gapMs ?? new Float64Array();
  const plain = gapOf([one, other]);
  const moved = directions.flatMap((angle) => {
    const [east, north] = [3 * Math.cos(angle), 3 * Math.sin(angle)];
    return [gapOf([one, shifted(other, east, north)]), gapOf([shifted(one, east, north), other])];
  });
  return Math.max(
    ...moved.map((gapMs) => rootMeanSquare(Array.from(gapMs, (gap, station) => gap - at(plain, station)))),
  );
}

test('an offset of three metres of either receiver hardly moves the gap along the line of the track', () => {
  for (const id of ['grattan-raceway-full', 'circuit-de-monaco-street-circuit']) {
    const track = libraryTrack(id);
    const line = known(lineOfLaps([11, 12, 13].map((seed) => drive(track, seed))));
    expect(movedByOffset(drive(track, 1), drive(track, 2), line), id).toBeLessThan(1);
  }
});

const samplesFolder = process.env['LAP_SAMPLES'];

test.skipIf(samplesFolder === undefined)(
  'on recordings, an offset of three metres moves the gap of two laps along their line by less than 5 ms',
  { timeout: 300_000 },
  () => {
    let compares = 0;
    for (const sample of listTriedSamples(samplesFolder ?? '')) {
      if ((sample.truth?.laps.length ?? 0) < 2) continue;
      const laps = bestLapsOf(sample).slice(0, 3);
      const [first, second] = laps;
      if (first === undefined || second === undefined) continue;
      const line = known(lineOfLaps(laps));
      expect(movedByOffset(first, second, line, DIRECTIONS.slice(1, 3)), sample.name).toBeLessThan(5);
      compares += 1;
    }
    expect(compares).toBeGreaterThan(isLongRun ? 20 : 2);
  },
);
