import { compareLaps, type LapComparison } from '../comparison/compare-laps.ts';
import type { TracedLap } from '../comparison/lap-trace.ts';
import { at } from '../fix-columns.ts';
import { distanceMeters, planeAround, type Position } from '../geo.ts';
import { seededRandom } from '../simulation/random.ts';
import type { Receiver } from '../simulation/receiver.ts';
import { simulateDrive, toLapFile, type DrivenFix, type SimulatedDrive } from '../simulation/drive.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import { isRanking } from '../timing/laps.ts';
import type { Track } from '../track.ts';

/** Describes a lap of a simulated drive, by its index. */
export type SimulatedLap = { drive: SimulatedDrive; lap: number };

/** Describes kinds of pairs: how both drives are recorded, and what is done to the fixes of the second one. */
export type PairKind = {
  name: string;
  receivers: [first: Partial<Receiver>, second: Partial<Receiver>];
  change?: (drive: SimulatedDrive, seed: number) => SimulatedDrive;
};

const GOOD = { driftMeters: 0.4, noiseMeters: 0.02, speedNoiseMetersPerSecond: 0.05 };

export const PAIR_KINDS: PairKind[] = [
  {
    name: 'clean',
    receivers: [
      { ...GOOD, rateHz: 25 },
      { ...GOOD, rateHz: 25 },
    ],
  },
  {
    name: 'holes',
    receivers: [
      { ...GOOD, rateHz: 25 },
      { ...GOOD, rateHz: 25 },
    ],
    change: withHoles,
  },
  {
    name: 'mixed rates',
    receivers: [
      { ...GOOD, rateHz: 25 },
      { ...GOOD, rateHz: 5 },
    ],
  },
  {
    name: 'side shift',
    receivers: [
      { ...GOOD, rateHz: 10 },
      { ...GOOD, rateHz: 10 },
    ],
    change: shiftToOneSide,
  },
  {
    name: 'jittering stamps',
    receivers: [
      { ...GOOD, rateHz: 10, stampJitterMs: 20 },
      { ...GOOD, rateHz: 10, stampJitterMs: 20 },
    ],
  },
  {
    name: 'drift',
    receivers: [
      { ...GOOD, driftMeters: 1.5, rateHz: 10 },
      { ...GOOD, driftMeters: 1.5, rateHz: 10 },
    ],
  },
];

/** Holes last for one to five seconds, and there is one in about half a minute. */
const HOLE_EVERY_SECONDS = 30;

function withHoles(drive: SimulatedDrive, seed: number): SimulatedDrive {
  const random = seededRandom(seed);
  const holes: { fromMs: number; toMs: number }[] = [];
  const last = drive.fixes.at(-1)?.timeMs ?? 0;
  let timeMs = drive.fixes[0]?.timeMs ?? 0;
  while (timeMs < last) {
    timeMs += 2000 * HOLE_EVERY_SECONDS * random.uniform();
    const toMs = timeMs + 1000 + 3800 * random.uniform();
    holes.push({ fromMs: timeMs, toMs });
    timeMs = toMs;
  }
  const isSeen = (fix: DrivenFix) =>
    holes.every(({ fromMs, toMs }) => fix.timeMs < fromMs || fix.timeMs > toMs);
  return { ...drive, fixes: drive.fixes.filter(isSeen) };
}

const BESIDE_METERS = 1;

/** Moves all fixes by a metre to the right of the path of the car. */
export function shiftToOneSide(drive: SimulatedDrive): SimulatedDrive {
  const { fixes } = drive;
  return {
    ...drive,
    fixes: fixes.map((fix, index) => {
      const [before, after] = [fixes[Math.max(0, index - 3)] ?? fix, fixes[index + 3] ?? fix];
      const plane = planeAround(fix);
      const x = (after.lon - before.lon) * plane.metersPerDegreeLon;
      const y = (after.lat - before.lat) * plane.metersPerDegreeLat;
      const length = Math.max(1e-6, Math.hypot(x, y));
      return {
        ...fix,
        lat: fix.lat - (BESIDE_METERS * x) / length / plane.metersPerDegreeLat,
        lon: fix.lon + (BESIDE_METERS * y) / length / plane.metersPerDegreeLon,
      };
    }),
  };
}

/** Counts places or stretches, and those at which the band holds the truth. */
export type Counts = { places: number; inside: number };

/** Counts the stations at which the band holds the true gap, and the stretches in which it holds the true loss. */
export type PairCounts = { gap: Counts; losses: Counts };

export function noCounts(): PairCounts {
  return { gap: { places: 0, inside: 0 }, losses: { places: 0, inside: 0 } };
}

export function addCounts(sum: PairCounts, { gap, losses }: PairCounts): void {
  sum.gap.places += gap.places;
  sum.gap.inside += gap.inside;
  sum.losses.places += losses.places;
  sum.losses.inside += losses.inside;
}

/** Counts for a pair of drives of this kind: the second lap against the third of one drive, and against that of another drive. */
export function countKind({ receivers, change }: PairKind, track: Track, seed: number): PairCounts {
  const drives = receivers.map((receiver, index) => {
    const drive = simulateDrive(track, { seed: seed + index, styleSeed: seed + index, laps: 4, receiver });
    return index === 1 && change ? change(drive, seed) : drive;
  });
  const [first, second] = drives;
  if (first === undefined || second === undefined) throw new Error('There are two drives.');
  const counts = noCounts();
  addCounts(counts, countPair(track, { drive: second, lap: 1 }, { drive: second, lap: 2 }));
  addCounts(counts, countPair(track, { drive: first, lap: 1 }, { drive: second, lap: 1 }));
  return counts;
}

/** Compares laps of two simulated drives, or of one, with the truth at every station and in every stretch. */
export function countPair(track: Track, one: SimulatedLap, other: SimulatedLap): PairCounts {
  const [first, second] = [one, other].map((driven) => timedLap(track, driven));
  // A drive whose lap a hole has broken has nothing to compare.
  if (!first || !second) return noCounts();
  const compared = compareLaps(first, [{ ...second, isSameRecording: one.drive === other.drive }], { track });
  if (compared === null) throw new Error('The laps were driven on one track.');
  const errors = gapErrors(compared, one, other);
  const bandMs = compared.laps[0]?.bandMs ?? new Float64Array(0);
  const inside = errors.filter((error, station) => Math.abs(error) <= at(bandMs, station));
  const errorAt = (place: number): number => errors[compared.meters.indexOf(place)] ?? Number.NaN;
  const lossesInside = compared.stretches.filter(
    ({ startMeters, endMeters, laps }) =>
      Math.abs(errorAt(endMeters) - errorAt(startMeters)) <= (laps[1]?.bandMs ?? 0),
  );
  return {
    gap: { places: errors.length, inside: inside.length },
    losses: { places: compared.stretches.length, inside: lossesInside.length },
  };
}

/** Returns the lap of a drive as the engine times it; null where it does not rank. */
export function timedLap(track: Track, driven: SimulatedLap): TracedLap | null {
  const start = startMs(driven);
  return timedLaps(track, driven.drive).find(({ lap }) => Math.abs(lap.startTimeMs - start) < 3000) ?? null;
}

/** Holds the ranking laps of each drive, of which tests compare several. */
const lapsByDrive = new WeakMap<SimulatedDrive, TracedLap[]>();

function timedLaps(track: Track, drive: SimulatedDrive): TracedLap[] {
  const known = lapsByDrive.get(drive);
  if (known) return known;
  const file = openFixes(toLapFile(drive.fixes));
  const laps = timeLaps(file, track)
    .laps.filter(isRanking)
    .map((lap) => ({ ...file, lap }));
  lapsByDrive.set(drive, laps);
  return laps;
}

/** Returns by how much the gap of the second lap is wrong at every station, in milliseconds. */
export function gapErrors(
  { lats, lons, laps }: LapComparison,
  one: SimulatedLap,
  other: SimulatedLap,
): number[] {
  const gapMs = laps[0]?.gapMs ?? new Float64Array(0);
  const truth = trueGaps(one, other);
  return Array.from(gapMs, (gap, station) => gap - truth({ lat: at(lats, station), lon: at(lons, station) }));
}

function startMs({ drive: { trueLaps }, lap }: SimulatedLap): number {
  return trueLaps[lap]?.startTimeMs ?? 0;
}

/** Returns the first metre of the centre line that a lap passes. */
function firstPassage(driven: SimulatedLap): number {
  return driven.drive.passages.findIndex(({ timeMs }) => timeMs >= startMs(driven));
}

const LOOK_AHEAD_STEPS = 40;

/** Returns the true gap of two laps at the metre of the centre line that is nearest to a position; asked in driving order. */
function trueGaps(one: SimulatedLap, other: SimulatedLap): (position: Position) => number {
  const { drive } = one;
  // All drives pass the same metres of the centre line, in the same number of steps.
  const stepsBetween = firstPassage({ drive, lap: other.lap }) - firstPassage({ drive, lap: one.lap });
  let index = firstPassage(one) - 3;
  return (position) => {
    const distance = (step: number): number =>
      distanceMeters(drive.passages[step]?.position ?? { lat: 0, lon: 0 }, position);
    // A place may be nearest for the moment only, where the centre line has a sharp bend.
    const ahead = Array.from({ length: LOOK_AHEAD_STEPS }, (_, step) => distance(index + step));
    index += ahead.lastIndexOf(Math.min(...ahead));
    const [here, there] = [drive.passages[index], other.drive.passages[index + stepsBetween]];
    if (here === undefined || there === undefined) throw new Error('Both drives went on.');
    return there.timeMs - startMs(other) - (here.timeMs - startMs(one));
  };
}
