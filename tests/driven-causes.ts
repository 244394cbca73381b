import { libraryTrack } from './library.ts';
import { at } from '#engine/fix-columns.ts';
import { distanceMeters } from '#engine/geo.ts';
import { simulateDrive, type DriveOptions, type SimulatedDrive } from '#engine/simulation/drive.ts';
import type { Cause } from '#engine/comparison/causes.ts';
import { compareLaps, type LapComparison } from '#engine/comparison/compare-laps.ts';
import type { ComparedStretch } from '#engine/comparison/stretch-figures.ts';
import type { Track } from '#engine/track.ts';
import { timedLap } from '#engine/testing/simulated-pairs.ts';

export const TRACK_IDS = [
  'weathertech-raceway-laguna-seca-full',
  'grattan-raceway-full',
  'silverstone-circuit-grand-prix-arena',
];
export const LEAD_IN_METERS = 300;

/** Holds one corner of a simulated lap, in metres of the centre line: where braking begins, the slowest point, and where braking for the next corner begins. */
export type DrivenCorner = { brake: number; slowest: number; nextBrake: number };

export type Base = {
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

const bases = new Map<string, Base>();

export function baseOf(id: string): Base {
  const known = bases.get(id) ?? driveBase(id);
  bases.set(id, known);
  return known;
}

export type Driven = { comparison: LapComparison; drives: [SimulatedDrive, SimulatedDrive]; base: Base };

export function compareDrives(base: Base, first?: SimulatedDrive, second?: SimulatedDrive): Driven {
  if (first === undefined || second === undefined) throw new Error('There are two drives.');
  const [a, b] = [first, second].map((drive) => timedLap(base.track, { drive, lap: 0 }));
  const comparison = a && b && compareLaps(a, [{ ...b, isSameRecording: false }], { track: base.track });
  if (!comparison) throw new Error('Both have a lap.');
  return { comparison, drives: [first, second], base };
}

export function amountOf(cause: Cause): number {
  return cause.kind === 'braking' ? cause.earlierMeters : cause.slowerMetersPerSecond;
}

/** Lists the causes that the drives do not have: another sign, or not half as much. */
export function falseCauses(pair: Driven): string[] {
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

export function speedAt({ passages }: SimulatedDrive, meter: number): number {
  return passages[LEAD_IN_METERS + meter]?.speedMetersPerSecond ?? Number.NaN;
}

function lowestNear(drive: SimulatedDrive, meter: number): number {
  const around = Array.from({ length: 31 }, (_, index) => speedAt(drive, meter + index - 15));
  return Math.min(...around);
}

/** Returns the metre of the centre line at a distance from the start/finish line, as both drives pass it. */
export function meterAt(
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
