import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLongRun } from '../../tests/long-run.ts';
import { at } from '../fix-columns.ts';
import { distanceMeters } from '../geo.ts';
import { simulateDrive } from '../simulation/drive.ts';
import type { DrivingStyle } from '../simulation/driving-style.ts';
import {
  amountOf,
  baseOf,
  compareDrives,
  falseCauses,
  LEAD_IN_METERS,
  meterAt,
  speedAt,
  TRACK_IDS,
  type Base,
  type Driven,
  type DrivenCorner,
} from '../../tests/driven-causes.ts';
import type { ComparedStretch } from './stretch-figures.ts';

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
