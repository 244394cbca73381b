import { expect, test } from 'vitest';
import { libraryTrack } from '../../tests/library.ts';
import { at } from '../fix-columns.ts';
import { simulateDrive, toLapFile, type DriveOptions } from '../simulation/drive.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import { lineOfLap, lineOfLaps } from './build-reference-line.ts';
import { compareLaps, type LapComparison } from './compare-laps.ts';
import { findPlacesToGain } from './places-to-gain.ts';
import { lapAlongLine, type LapAlongLine } from './lap-along-line.ts';
import type { TracedLap } from './lap-trace.ts';
import type { Track } from '../track.ts';
import type { ReferenceLine } from './reference-line.ts';
import type { ComparedStretch, StretchFigures } from './stretch-figures.ts';

const TRACK_IDS = ['weathertech-raceway-laguna-seca-full', 'grattan-raceway-full'];
const USUAL = { noiseMeters: 0.05, driftMeters: 0.7, speedNoiseMetersPerSecond: 0.1 };
/** Gives where and how fast the car really was, 50 times a second. */
const PERFECT = { rateHz: 50 };
const ROAD_CAR = { cornering: 11, braking: 9.5, traction: 5.5, wattsPerKilogram: 190 };

function drive(trackId: string, options: Omit<DriveOptions, 'laps'>): TracedLap {
  const track = libraryTrack(trackId);
  const { fixes, trueLaps } = simulateDrive(track, { laps: 2, ...options });
  const file = openFixes(toLapFile(fixes));
  const start = trueLaps[1]?.startTimeMs ?? 0;
  const lap = timeLaps(file, track).laps.find((each) => Math.abs(each.startTimeMs - start) < 2000);
  if (lap === undefined) throw new Error('The lap was found.');
  return { ...file, lap };
}

function compared(
  first: TracedLap,
  second: TracedLap,
  line: ReferenceLine,
  track: Track | null = null,
): LapComparison {
  const comparison = compareLaps(first, [{ ...second, isSameRecording: false }], { line, track });
  if (comparison === null) throw new Error('The laps were driven on one track.');
  return comparison;
}

type Place = StretchFigures & Pick<ComparedStretch, 'kind'>;

function placesToGain({ stretches }: LapComparison): Place[] {
  return findPlacesToGain(stretches, 1).flatMap((index) => {
    const stretch = stretches[index];
    return (stretch?.laps.slice(1) ?? []).map((figures) => ({ ...figures, kind: stretch?.kind ?? 'corner' }));
  });
}

const realDrives = new Map<string, TracedLap[]>();

/** Returns how two drivers really drove; the tests compare several recordings with that. */
function driveReally(id: string, seeds: readonly number[]): TracedLap[] {
  const key = `${id} ${seeds.join()}`;
  const real = realDrives.get(key) ?? seeds.map((seed) => drive(id, { seed, receiver: PERFECT }));
  realDrives.set(key, real);
  return real;
}

/** Returns the same two drivers as recorded, and as they really drove. */
function pairs(rateHz: number): { recorded: LapComparison; real: LapComparison; drivers: LapAlongLine[] }[] {
  return TRACK_IDS.flatMap((id) =>
    [7, 14].map((seed) => {
      const real = driveReally(id, [seed, seed + 1]);
      const recorded = [seed, seed + 1].map((each) =>
        drive(id, { seed: each, receiver: { ...USUAL, rateHz } }),
      );
      const line = lineOfLaps(real);
      const [[a, b], [c, d]] = [real, recorded];
      if (!line || !a || !b || !c || !d) throw new Error('There are two laps.');
      const drivers = [a, b].flatMap((lap) => lapAlongLine(line, lap) ?? []);
      return { recorded: compared(c, d, line), real: compared(a, b, line), drivers };
    }),
  );
}

test('in each corner, speeds are right within their doubts, and braking points within a metre or two', () => {
  for (const rateHz of [25, 5]) {
    const speeds: boolean[] = [];
    const braking: { error: number; doubt: number }[] = [];
    for (const { recorded, real, drivers } of pairs(rateHz)) {
      for (const { kind, number, laps } of recorded.stretches) {
        const corner = real.stretches.find((stretch) => stretch.kind === kind && stretch.number === number);
        const [[first, second], [realFirst, realSecond]] = [laps, corner?.laps ?? []];
        if (kind === 'straight' || !first || !second || !realFirst || !realSecond) continue;
        const speedDoubt = Math.hypot(first.speedDoubtMetersPerSecond, second.speedDoubtMetersPerSecond);
        const difference = Number(second.slowestMetersPerSecond) - Number(first.slowestMetersPerSecond);
        const truth = Number(realSecond.slowestMetersPerSecond) - Number(realFirst.slowestMetersPerSecond);
        speeds.push(Math.abs(difference - truth) <= speedDoubt);
        const found = [first.brakingMeters, second.brakingMeters];
        const onsets = drivers.map((driver, index) => onsetNear(driver, found[index] ?? null));
        const [a, b, c, d] = [...found, ...onsets].map((meters) => meters ?? Number.NaN);
        const error = Number(b) - Number(a) - (Number(d) - Number(c));
        if (Number.isFinite(error))
          braking.push({ error, doubt: Math.hypot(first.brakingDoubtMeters, second.brakingDoubtMeters) });
      }
    }
    expect(speeds.length).toBeGreaterThan(35);
    expect(share(speeds)).toBeGreaterThan(0.9);
    expect(braking.length).toBeGreaterThan(35);
    const errors = braking.map(({ error }) => Math.abs(error)).toSorted((x, y) => x - y);
    expect(errors[Math.floor(errors.length / 2)]).toBeLessThan(1.5);
    expect(share(braking.map(({ error, doubt }) => Math.abs(error) <= doubt))).toBeGreaterThan(0.9);
  }
});

function share(hits: readonly boolean[]): number {
  return hits.filter(Boolean).length / hits.length;
}

/**
 * Returns where the car really begins to lose more than 0.2 g, nearest to where that was found; null where it does not
 * within 30 m of it.
 */
function onsetNear({ timesMs, meters, speedsMetersPerSecond }: LapAlongLine, found: number | null) {
  if (found === null) return null;
  const acceleration = (index: number): number =>
    (1000 * (at(speedsMetersPerSecond, index + 1) - at(speedsMetersPerSecond, index))) /
    (at(timesMs, index + 1) - at(timesMs, index));
  let nearest: number | null = null;
  for (let index = 1; index + 2 < meters.length; index += 1) {
    const distance = Math.abs(at(meters, index) - found);
    if (acceleration(index - 1) <= -1.96 || acceleration(index) > -1.96 || distance > 30) continue;
    if (nearest === null || distance < Math.abs(nearest - found)) nearest = at(meters, index);
  }
  return nearest;
}

test('stretches follow each other without gap or overlap, and their losses add up to the gap at the end', () => {
  for (const { recorded } of pairs(10)) {
    const { meters, stretches } = recorded;
    const starts = stretches.map(({ startMeters }) => startMeters);
    const ends = stretches.map(({ endMeters }) => endMeters);
    expect([...starts, meters.at(-1)]).toEqual([0, ...ends]);
    for (const { startMeters, endMeters } of stretches) expect(endMeters).toBeGreaterThan(startMeters);
    const sum = stretches.reduce((total, { laps }) => total + (laps[1]?.lostMs ?? 0), 0);
    expect(sum).toBeCloseTo(recorded.laps[0]?.gapMs.at(-1) ?? Number.NaN, 3);
    const lapTimeMs = stretches.reduce((total, { laps }) => total + (laps[0]?.timeMs ?? 0), 0);
    expect(lapTimeMs).toBeCloseTo(recorded.reference.elapsedMs.at(-1) ?? Number.NaN, 3);
  }
});

/** Returns a driver, and the same one in a worse car. */
function withWorseCar(vehicle: Partial<typeof ROAD_CAR>): Place[] {
  const receiver = { ...USUAL, rateHz: 25 };
  const id = 'weathertech-raceway-laguna-seca-full';
  const [good, worse] = [
    drive(id, { seed: 5, receiver }),
    drive(id, { seed: 5, receiver, vehicle: { ...ROAD_CAR, ...vehicle } }),
  ];
  const line = lineOfLaps([good, worse]);
  if (line === null) throw new Error('There is a line.');
  return placesToGain(compared(good, worse, line));
}

test('who can brake less, brakes earlier where the time goes', () => {
  const places = withWorseCar({ braking: 6 });
  expect(places.length).toBeGreaterThanOrEqual(2);
  for (const { kind, lostMs, bandMs, cause } of places) {
    expect(kind).toBe('corner');
    expect(lostMs).toBeGreaterThan(bandMs);
    expect(cause).toMatchObject({ kind: 'braking' });
    expect(cause?.kind === 'braking' ? cause.earlierMeters : 0).toBeGreaterThan(5);
  }
});

test('who has less grip, is slower at the slowest points where the time goes, or where a long corner ends', () => {
  const places = withWorseCar({ cornering: 9.5 }).filter(({ kind }) => kind === 'corner');
  expect(places.length).toBeGreaterThanOrEqual(2);
  for (const { cause } of places) {
    expect(cause?.kind).not.toBe('braking');
    expect(cause !== null && cause.kind !== 'braking' ? cause.slowerMetersPerSecond : 0).toBeGreaterThan(0.5);
  }
  expect(places.some(({ cause }) => cause?.kind === 'slowest-speed')).toBe(true);
});

test('the same lap, recorded by two receivers, has next to no place to gain', () => {
  const counts = TRACK_IDS.flatMap((id) =>
    [1, 2, 3].map((seed) => {
      const [one, other] = [25, 10].map((rateHz) => drive(id, { seed, receiver: { ...USUAL, rateHz } }));
      if (!one || !other) throw new Error('There are two laps.');
      const line = lineOfLaps([one, other]);
      if (line === null) throw new Error('There is a line.');
      const comparison = compared(one, other, line);
      return { claimed: placesToGain(comparison).length, stretches: comparison.stretches.length };
    }),
  );
  const claimed = counts.reduce((sum, count) => sum + count.claimed, 0);
  expect(claimed / counts.reduce((sum, count) => sum + count.stretches, 0)).toBeLessThan(0.08);
});

test('a single lap has figures for its stretches, too', () => {
  const comparison = compareLaps(drive('grattan-raceway-full', { seed: 1, receiver: PERFECT }), []);
  expect(comparison?.stretches.length).toBeGreaterThan(8);
  for (const { kind, laps } of comparison?.stretches ?? []) {
    expect(laps).toHaveLength(1);
    expect(laps[0]).toMatchObject({ lostMs: 0, bandMs: 0, brakingEarlierMeters: null, cause: null });
    expect(laps[0]?.startSpeedMetersPerSecond).toBeGreaterThan(5);
    if (kind === 'corner') expect(laps[0]?.slowestMetersPerSecond).toBeGreaterThan(5);
  }
});

test('what a stretch costs hardly depends on the line, also where one corner follows right after another', () => {
  const id = 'nurburgring-grand-prix';
  const laps = [74, 52, 66, 58].map((topSpeedMetersPerSecond, index) =>
    drive(id, { seed: index + 1, topSpeedMetersPerSecond }),
  );
  const line = lineOfLaps(laps);
  for (const [first, second] of [
    [0, 3],
    [2, 3],
    [0, 1],
  ] as const) {
    const [a, b] = [laps[first], laps[second]];
    const own = a && lineOfLap(a);
    if (!a || !b || !own || !line) throw new Error('There are four laps.');
    for (const track of [null, libraryTrack(id)]) {
      const [onOwn, onTracks] = [compared(a, b, own, track), compared(a, b, line, track)].map(
        ({ stretches }) =>
          stretches.map(({ kind, number, laps: [, figures] }) => ({ kind, number, ...figures })),
      );
      expect(onOwn?.map(({ kind, number }) => kind + number)).toEqual(
        onTracks?.map(({ kind, number }) => kind + number),
      );
      onOwn?.forEach(({ lostMs = 0, bandMs = 0 }, index) => {
        const other = onTracks?.[index];
        expect(Math.abs(lostMs - (other?.lostMs ?? 0))).toBeLessThanOrEqual(bandMs + (other?.bandMs ?? 0));
      });
    }
  }
});
