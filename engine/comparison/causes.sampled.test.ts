import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLongRun } from '../../tests/long-run.ts';
import { libraryTrack } from '../../tests/library.ts';
import { at } from '../fix-columns.ts';
import { distanceMeters } from '../geo.ts';
import { simulateDrive, type DriveOptions, type SimulatedDrive } from '../simulation/drive.ts';
import type { DrivingStyle } from '../simulation/driving-style.ts';
import { timedLap } from '../testing/simulated-pairs.ts';
import type { Track } from '../track.ts';
import type { Cause } from './causes.ts';
import { compareLaps, type LapComparison } from './compare-laps.ts';
import type { ComparedStretch } from './stretch-figures.ts';

const TRACK_IDS = [
  'weathertech-raceway-laguna-seca-full',
  'grattan-raceway-full',
  'silverstone-circuit-grand-prix-arena',
];
const LEAD_IN_METERS = 300;

/** Holds one corner of a simulated lap, in metres of the centre line: where braking begins, the slowest point, and where braking for the next corner begins. */
type DrivenCorner = { brake: number; slowest: number; nextBrake: number };

type Base = {
  track: Track;
  speeds: number[];
  lengthMeters: number;
  corners: DrivenCorner[];
  options: DriveOptions;
};

const OPTIONS: DriveOptions = { seed: 3, laps: 1, leadInMeters: LEAD_IN_METERS, roundingMeters: 60 };

function driveBase(id: string): Base {
  const track = libraryTrack(id);
  const { passages } = simulateDrive(track, OPTIONS);
  const lengthMeters = passages.length - LEAD_IN_METERS - 250;
  const speeds = passages
    .slice(LEAD_IN_METERS, LEAD_IN_METERS + lengthMeters)
    .map((passage) => passage.speedMetersPerSecond);
  return { track, speeds, lengthMeters, corners: findCornersDriven(speeds), options: OPTIONS };
}

const DROP_MIN = 9;

/** Finds the corners that the car brakes for. */
function findCornersDriven(speeds: readonly number[]): DrivenCorner[] {
  const turns: { meter: number; isTop: boolean }[] = [];
  let [low, high] = [0, 0];
  let isRising = true;
  speeds.forEach((speed, meter) => {
    const [lowest, highest] = [speeds[low] ?? 0, speeds[high] ?? 0];
    if (speed < lowest) low = meter;
    if (speed > highest) high = meter;
    if (isRising && speed < (speeds[high] ?? 0) - DROP_MIN) {
      turns.push({ meter: high, isTop: true });
      [isRising, low] = [false, meter];
    } else if (!isRising && speed > (speeds[low] ?? 0) + DROP_MIN) {
      turns.push({ meter: low, isTop: false });
      [isRising, high] = [true, meter];
    }
  });
  return turns.flatMap(({ meter, isTop }, index) => {
    const [before, after] = [turns[index - 1], turns[index + 1]];
    if (isTop || before === undefined || after === undefined) return [];
    return [{ brake: before.meter, slowest: meter, nextBrake: after.meter }];
  });
}

const DIFFERENCES = ['braking', 'slowest-speed', 'throttle', 'power', 'top-speed'] as const;
type Difference = (typeof DIFFERENCES)[number];

function brakingMeters(amount: number): number {
  return 5 + 15 * amount;
}

/** A driver with less grip is slower for so long before and after the slowest point. */
const APEX_METERS = 25;

/** Returns what a slower driver does otherwise at one corner. */
function habitsOf(
  { speeds }: Base,
  { brake, slowest, nextBrake }: DrivenCorner,
  { difference, amount }: { difference: Difference; amount: number },
): (meter: number) => Partial<DrivingStyle> {
  const speedAt = (meter: number) => speeds[Math.max(0, Math.min(speeds.length - 1, Math.round(meter)))] ?? 0;
  const bottom = speedAt(slowest);
  if (difference === 'braking') {
    const meters = brakingMeters(amount);
    return (meter) =>
      meter > brake - meters && meter <= slowest
        ? { topSpeedMetersPerSecond: speedAt(Math.min(slowest, meter + meters)) }
        : {};
  }
  if (difference === 'slowest-speed') {
    const slower = (2 + 4 * amount) / 3.6;
    return (meter) =>
      Math.abs(meter - slowest) <= APEX_METERS ? { topSpeedMetersPerSecond: speedAt(meter) - slower } : {};
  }
  const opened = speeds.findIndex((speed, meter) => meter > slowest && speed > bottom + 0.5);
  if (difference === 'throttle') {
    const meters = 10 + 25 * amount;
    return (meter) => (meter > opened && meter <= opened + meters ? { pushFactor: 0 } : {});
  }
  if (difference === 'top-speed') {
    const top = speedAt(nextBrake) - (5 + 20 * amount) / 3.6;
    return (meter) => (meter > slowest && meter <= nextBrake ? { topSpeedMetersPerSecond: top } : {});
  }
  const open = slowest + 0.5 * (nextBrake - slowest);
  return (meter) => (meter > open && meter < nextBrake ? { pushFactor: 0.8 - 0.5 * amount } : {});
}

const RECEIVERS = [
  { rateHz: 25, noiseMeters: 0.02, driftMeters: 0.4, speedNoiseMetersPerSecond: 0.05 },
  { rateHz: 10, noiseMeters: 0.02, driftMeters: 0.5, speedNoiseMetersPerSecond: 0.05 },
];

type Case = {
  trackIndex: number;
  cornerShare: number;
  difference: Difference;
  amount: number;
  receiver: number;
  isSlowerFirst: boolean;
  seed: number;
};

const SHARES = fc.nat(999).map((thousandths) => thousandths / 1000);

const CASES = fc.record<Case>({
  trackIndex: fc.nat(TRACK_IDS.length - 1),
  cornerShare: SHARES,
  difference: fc.constantFrom(...DIFFERENCES),
  amount: SHARES,
  receiver: fc.nat(RECEIVERS.length - 1),
  isSlowerFirst: fc.boolean(),
  seed: fc.nat(1_000_000),
});

const bases = new Map<string, Base>();

function baseOf(id: string): Base {
  const known = bases.get(id) ?? driveBase(id);
  bases.set(id, known);
  return known;
}

type Driven = { comparison: LapComparison; drives: [SimulatedDrive, SimulatedDrive]; base: Base };

type Pair = Driven & { corner: DrivenCorner };

function driveCase(wanted: Case): Pair {
  const base = baseOf(TRACK_IDS[wanted.trackIndex] ?? '');
  const corner = base.corners[Math.floor(wanted.cornerShare * base.corners.length)];
  const receiver = RECEIVERS[wanted.receiver];
  if (corner === undefined || receiver === undefined) throw new Error('The track has corners.');
  const slower = { habits: habitsOf(base, corner, wanted) };
  const [first, second] = (wanted.isSlowerFirst ? [slower, {}] : [{}, slower]).map((habits, index) =>
    simulateDrive(base.track, { ...base.options, receiver, receiverSeed: wanted.seed + index, ...habits }),
  );
  return { ...compareDrives(base, first, second), corner };
}

function compareDrives(base: Base, first?: SimulatedDrive, second?: SimulatedDrive): Driven {
  if (first === undefined || second === undefined) throw new Error('There are two drives.');
  const [a, b] = [first, second].map((drive) => timedLap(base.track, { drive, lap: 0 }));
  const comparison = a && b && compareLaps(a, [{ ...b, isSameRecording: false }], { track: base.track });
  if (!comparison) throw new Error('Both have a lap.');
  return { comparison, drives: [first, second], base };
}

/** Returns the station of a metre of the centre line. */
function stationOf({ comparison: { lats, lons }, drives: [{ passages }] }: Pair, meter: number): number {
  const position = passages[LEAD_IN_METERS + Math.round(meter)]?.position;
  if (position === undefined) throw new Error('The drive passed that metre.');
  const distances = lats.map((lat, station) => distanceMeters(position, { lat, lon: at(lons, station) }));
  return distances.indexOf(distances.reduce((a, b) => Math.min(a, b)));
}

function stretchAround(
  { comparison: { stretches, meters } }: Pair,
  station: number,
): ComparedStretch | undefined {
  const place = at(meters, station);
  return stretches.find(({ startMeters, endMeters }) => place >= startMeters && place < endMeters);
}

/** Lists the stretches in which the difference costs time: those of a straight may be one of several, where corners without braking part it. */
function stretchesAt(pair: Pair, { difference }: Case): ComparedStretch[] {
  const { slowest, nextBrake } = pair.corner;
  const shares = difference === 'power' || difference === 'top-speed' ? [0.6, 0.75, 0.9, 0.97] : [0];
  return shares.flatMap(
    (share) => stretchAround(pair, stationOf(pair, slowest + share * (nextBrake - slowest))) ?? [],
  );
}

/** Returns whether a stretch names the difference that was driven, in its direction. */
function isRight({ laps }: ComparedStretch, { difference, isSlowerFirst }: Case): boolean {
  const cause = laps[1]?.cause ?? null;
  if (cause === null || amountOf(cause) > 0 === isSlowerFirst) return false;
  return difference === 'braking' || difference === 'slowest-speed'
    ? cause.kind === difference
    : ['end-speed', 'middle-speed'].includes(cause.kind);
}

/** A loss or a difference that is this many times as large as its 95 % interval is almost never measured within it. */
const CLEAR_RATIO = 2;

/**
 * Returns whether the receivers leave the difference in a stretch beyond doubt: the true loss against the band, and the true
 * braking point or speed against the doubts of both laps.
 */
function isClear(pair: Pair, stretch: ComparedStretch, { difference, amount }: Case): boolean {
  const [first, second] = stretch.laps;
  if (!first || !second || Math.abs(trueLossMs(pair, stretch)) < CLEAR_RATIO * second.bandMs) return false;
  if (difference === 'braking')
    return (
      brakingMeters(amount) > CLEAR_RATIO * Math.hypot(first.brakingDoubtMeters, second.brakingDoubtMeters)
    );
  const doubt = Math.hypot(first.speedDoubtMetersPerSecond, second.speedDoubtMetersPerSecond);
  const [from, to] = [stretch.startMeters, stretch.endMeters].map((place) => meterAt(pair, place));
  const differences = Array.from({ length: (to ?? 0) - (from ?? 0) + 1 }, (_, meter) =>
    Math.abs(speedAt(pair.drives[0], (from ?? 0) + meter) - speedAt(pair.drives[1], (from ?? 0) + meter)),
  );
  return Math.max(...differences) > CLEAR_RATIO * doubt;
}

/** Returns what the second lap really loses in a stretch. */
function trueLossMs(pair: Pair, { startMeters, endMeters }: ComparedStretch): number {
  const [from, to] = [startMeters, endMeters].map((place) => LEAD_IN_METERS + meterAt(pair, place));
  const [first = Number.NaN, second = Number.NaN] = pair.drives.map(
    ({ passages }) => (passages[to ?? 0]?.timeMs ?? Number.NaN) - (passages[from ?? 0]?.timeMs ?? Number.NaN),
  );
  return second - first;
}

function amountOf(cause: Cause): number {
  return cause.kind === 'braking' ? cause.earlierMeters : cause.slowerMetersPerSecond;
}

/** Lists the causes that the drives do not have: another sign, or not half as much. */
function falseCauses(pair: Driven): string[] {
  return pair.comparison.stretches.flatMap((stretch) => {
    const [reference, own] = stretch.laps;
    if (!reference || !own || own.cause === null) return [];
    const truth = trueAmount(pair, stretch, own.cause);
    const named = amountOf(own.cause);
    return truth / named > 0.5
      ? []
      : [`${JSON.stringify(own.cause)} in ${stretch.kind} ${stretch.number}: ${truth}`];
  });
}

function trueAmount(pair: Driven, { laps }: ComparedStretch, cause: Cause): number {
  const [first, second] = pair.drives;
  if (cause.kind === 'braking') {
    const onsets = laps.map(({ brakingMeters }, lap) => onsetNear(pair, lap, brakingMeters ?? Number.NaN));
    return (onsets[0] ?? Number.NaN) - (onsets[1] ?? Number.NaN);
  }
  if (cause.kind === 'slowest-speed') {
    const [one = Number.NaN, other = Number.NaN] = laps.map(({ slowestMeters }, lap) =>
      lowestNear(pair.drives[lap === 0 ? 0 : 1], meterAt(pair, slowestMeters ?? Number.NaN)),
    );
    return one - other;
  }
  const meter = meterAt(pair, cause.atMeters);
  return speedAt(first, meter) - speedAt(second, meter);
}

function speedAt({ passages }: SimulatedDrive, meter: number): number {
  return passages[LEAD_IN_METERS + meter]?.speedMetersPerSecond ?? Number.NaN;
}

function lowestNear(drive: SimulatedDrive, meter: number): number {
  const around = Array.from({ length: 31 }, (_, index) => speedAt(drive, meter + index - 15));
  return Math.min(...around);
}

/** Returns the metre of the centre line at a distance from the start/finish line, as both drives pass it. */
function meterAt(
  { comparison: { lats, lons, meters }, drives: [{ passages }], base }: Driven,
  place: number,
): number {
  const station = Math.round((place / at(meters, meters.length - 1)) * (meters.length - 1));
  const position = { lat: at(lats, station), lon: at(lons, station) };
  let [nearest, least] = [0, Number.POSITIVE_INFINITY];
  for (let meter = 0; meter < base.lengthMeters; meter += 1) {
    const passage = passages[LEAD_IN_METERS + meter];
    const distance = passage === undefined ? least : distanceMeters(passage.position, position);
    if (distance < least) [nearest, least] = [meter, distance];
  }
  return nearest;
}

const ONSET_MAX_METERS = 40;
const BRAKING_METERS_PER_SECOND_SQUARED = 0.2 * 9.80665;

/** Returns the metre at which the car really begins to lose more than 0.2 g, nearest to a place. */
function onsetNear(pair: Driven, lap: number, place: number): number {
  const drive = pair.drives[lap === 0 ? 0 : 1];
  const found = meterAt(pair, place);
  const isBraking = (meter: number) =>
    (speedAt(drive, meter - 2) ** 2 - speedAt(drive, meter + 2) ** 2) / 8 > BRAKING_METERS_PER_SECOND_SQUARED;
  for (let away = 0; away < ONSET_MAX_METERS; away += 1)
    for (const meter of [found - away, found + away])
      if (isBraking(meter) && !isBraking(meter - 1)) return meter;
  return Number.NaN;
}

// `npm run test:all` tries all of them.
const CASE_COUNT = isLongRun ? 60 : 20;
const RIGHT_SHARE = isLongRun ? 0.95 : 0.9;

test('where one thing is driven otherwise, that is named in its stretch as far as receivers leave it beyond doubt, and nothing that was not driven', () => {
  const cases = fc.sample(fc.noBias(CASES), CASE_COUNT);
  const counts = { clear: 0, right: 0 };
  const missed: string[] = [];
  for (const wanted of cases) {
    const pair = driveCase(wanted);
    expect(falseCauses(pair), JSON.stringify(wanted)).toEqual([]);
    const clear = stretchesAt(pair, wanted).filter((stretch) => isClear(pair, stretch, wanted));
    if (clear.length === 0) continue;
    counts.clear += 1;
    if (clear.some((stretch) => isRight(stretch, wanted))) counts.right += 1;
    else missed.push(JSON.stringify(wanted));
  }
  expect(counts.clear).toBeGreaterThan(CASE_COUNT / 2);
  expect(counts.right / counts.clear, missed.join('\n')).toBeGreaterThanOrEqual(RIGHT_SHARE);
});

function causesOf({ comparison: { stretches } }: Driven): ComparedStretch[] {
  return stretches.filter(({ laps }) => (laps[1]?.cause ?? null) !== null);
}

/** Drives a lap twice, by different drivers with receivers of the given rates. */
function driveAtRates(rates: readonly number[], seed: number): Driven {
  const base = baseOf(TRACK_IDS[seed % 2] ?? '');
  const [first, second] = rates.map((rateHz, driver) =>
    simulateDrive(base.track, {
      ...base.options,
      seed: 17 * seed + driver,
      styleSeed: 17 * seed + driver,
      receiver: { rateHz, noiseMeters: 0.02, driftMeters: 0.4, speedNoiseMetersPerSecond: 0.05 },
    }),
  );
  return compareDrives(base, first, second);
}

const PAIR_COUNT = isLongRun ? 40 : 8;
/** At 2 Hz, one cause in a hundred may name twice what was driven. */
const FALSE_SHARE_MAX = 0.01;

test.each([
  { rates: [25, 5], named: 3 },
  { rates: [5, 5], named: 2 },
  { rates: [10, 2], named: 0.1 },
  { rates: [2, 25], named: 0.1 },
  { rates: [25, 1], named: 0 },
  { rates: [1, 10], named: 0 },
])('receivers of $rates Hz name what was driven, or nothing', ({ rates, named }) => {
  const pairs = Array.from({ length: PAIR_COUNT }, (_, seed) => driveAtRates(rates, seed));
  const count = pairs.flatMap(causesOf).length;
  const wrong = pairs.flatMap(falseCauses);
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(FALSE_SHARE_MAX * count);
  expect(count).toBeGreaterThanOrEqual(named * PAIR_COUNT);
});

test('no cause is named where a recording has a hole', () => {
  let [seen, named] = [0, 0];
  for (let seed = 0; seed < 4; seed += 1) {
    const { base, drives } = driveAtRates([25, 25], seed);
    const lap = seed % 2;
    const { startTimeMs = Number.NaN, lapTimeMs = Number.NaN } = drives[lap]?.trueLaps[0] ?? {};
    // A hole of a second and a half in every fifth of the lap.
    const isHole = (timeMs: number) => (timeMs - startTimeMs + lapTimeMs / 9) % (lapTimeMs / 5) < 1500;
    const recorded = drives.map((drive, index) =>
      index === lap ? { ...drive, fixes: drive.fixes.filter(({ timeMs }) => !isHole(timeMs)) } : drive,
    );
    const pair = compareDrives(base, ...recorded);
    const { meters, laps, reference } = pair.comparison;
    const elapsedMs = lap === 0 ? reference.elapsedMs : laps[0]?.elapsedMs;
    const holed = pair.comparison.stretches.filter(({ startMeters, endMeters }) =>
      meters.some(
        (along, station) =>
          along >= startMeters &&
          along <= endMeters &&
          isHole(startTimeMs + at(elapsedMs ?? meters, station)),
      ),
    );
    seen += holed.length;
    for (const { laps: figures } of holed)
      expect(figures[1]).toMatchObject({ cause: null, brakingEarlierMeters: null });
    expect(falseCauses(pair)).toEqual([]);
    named += causesOf(pair).length;
  }
  expect(seen).toBeGreaterThan(15);
  expect(named).toBeGreaterThan(3);
});
