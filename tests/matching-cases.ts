import { distanceMeters } from '#engine/geo.ts';
import { toLapFile, simulateDrive } from '#engine/simulation/drive.ts';
import type { DriveOptions, DrivenFix, Vehicle } from '#engine/simulation/drive.ts';
import type { Receiver } from '#engine/simulation/receiver.ts';
import { kartLayouts, movedTrack, reverseTrack } from '#engine/testing/kart-venue.ts';
import { seededRandom } from '#engine/simulation/random.ts';
import type { Random } from '#engine/simulation/random.ts';
import { buildTrace } from '#engine/trace/trace.ts';
import type { Trace } from '#engine/trace/trace.ts';
import type { OutlinePoint, Track } from '#engine/track.ts';
import { LIBRARY } from './library.ts';

/** A drive, the tracks that the library knows around it, and the one among them that it was; null where it was none of them. */
export type MatchingCase = { kind: string; trace: Trace; known: Track[]; trackId: string | null };

/** A place with several layouts. */
type Site = { layouts: Track[]; vehicle: Vehicle; topSpeeds: [slowest: number, fastest: number] };

const CAR: Vehicle = { cornering: 11, braking: 9.5, traction: 5.5, wattsPerKilogram: 190 };
const HIRE_KART: Vehicle = { cornering: 8, braking: 5.5, traction: 2.2, wattsPerKilogram: 18 };
const BICYCLE: Vehicle = { cornering: 3.5, braking: 2.5, traction: 1, wattsPerKilogram: 4 };

/** A new case for every seed; the same seed gives the same case. */
export function matchingCase(seed: number): MatchingCase {
  const random = seededRandom(seed);
  const site = random.uniform() < 0.5 ? circuitSite(random) : kartSite(random);
  const driven = oneOf(random, site.layouts);
  const dice = random.uniform();
  if (dice < 0.08) return notDriven(random, site, driven);
  const isUnknown = dice < 0.25;
  const known = site.layouts
    .filter((track) => track !== driven || !isUnknown)
    // A library does not always have all layouts of a place.
    .filter((track) => track === driven || random.uniform() < 0.8)
    .map((track) => asTold(random, track));
  const { laps, kind, share } = lengthOfDrive(random);
  const { fixes } = simulateDrive(driven, {
    ...optionsOf(random, site, seed),
    laps,
    leadInMeters: 600 * random.uniform(),
    leadOutMeters: 600 * random.uniform(),
  });
  const from = Math.floor(((1 - share) / 2) * fixes.length);
  return {
    kind: isUnknown ? 'a layout that is not in the library' : kind,
    trace: traceOf(fixes.slice(from, from + Math.ceil(share * fixes.length))),
    known,
    trackId: isUnknown ? null : driven.id,
  };
}

function optionsOf(random: Random, { vehicle, topSpeeds }: Site, seed: number): DriveOptions {
  const [slowest, fastest] = topSpeeds;
  return {
    seed,
    laps: 1,
    vehicle,
    topSpeedMetersPerSecond: slowest + (fastest - slowest) * random.uniform(),
    receiver: anyReceiver(random),
  };
}

/** From a hand-held receiver under trees to the best logger. */
function anyReceiver(random: Random): Partial<Receiver> {
  return {
    rateHz: oneOf(random, [1, 1, 5, 10, 25]),
    jitterMs: oneOf(random, [0, 5]),
    lossShare: oneOf(random, [0, 0, 0.03]),
    noiseMeters: oneOf(random, [0.05, 0.2, 0.5, 1]),
    driftMeters: oneOf(random, [0.3, 1, 2, 3.5]),
    speedNoiseMetersPerSecond: 0.1,
    hasSpeed: random.uniform() < 0.8,
    coordinateDecimals: oneOf(random, [5, 6, 7, 9]),
  };
}

function lengthOfDrive(random: Random): { laps: number; kind: string; share: number } {
  const dice = random.uniform();
  if (dice < 0.15) return { laps: 1, share: 0.4 + 0.4 * random.uniform(), kind: 'part of a lap' };
  if (dice < 0.4) return { laps: 1, share: 1, kind: 'one lap' };
  return { laps: 2 + Math.floor(4 * random.uniform()), share: 1, kind: 'several laps' };
}

/** These are no drives of laps: on a bicycle, or along a part of the track and away. */
function notDriven(random: Random, site: Site, track: Track): MatchingCase {
  const known = site.layouts.map((layout) => asTold(random, layout));
  const isBicycle = random.uniform() < 0.5;
  const { fixes } = simulateDrive(track, {
    ...optionsOf(random, site, Math.floor(1e6 * random.uniform())),
    laps: 2,
    ...(isBicycle
      ? { vehicle: BICYCLE, topSpeedMetersPerSecond: 5 + 3.5 * random.uniform() }
      : { topSpeedMetersPerSecond: 14 }),
  });
  const trip = fixes.slice(0, Math.floor(fixes.length / 8));
  return {
    kind: isBicycle ? 'a bicycle ride' : 'a trip along a part of the track',
    trace: traceOf(isBicycle ? fixes : trip),
    known,
    trackId: null,
  };
}

function circuitSite(random: Random): Site {
  const track = oneOf(random, LIBRARY);
  const family = LIBRARY.filter((other) => other.name === track.name);
  const shortcut = shortcutOf(track, random);
  const layouts = [...family, ...(shortcut ?? [])];
  return {
    layouts: random.uniform() < 0.3 ? [...layouts, ...layouts.map(reverseTrack)] : layouts,
    vehicle: CAR,
    topSpeeds: [45, 75],
  };
}

/** Two or three kart tracks side by side, 300 m from middle to middle. */
function kartSite(random: Random): Site {
  const here = kartLayouts();
  const neighbours = here.map((track) => movedTrack(track, { x: 300, y: 0 }, `neighbour-${track.id}`));
  const north = here.map((track) => movedTrack(track, { x: 20, y: 300 }, `north-${track.id}`));
  const layouts = [...here, ...neighbours, ...north];
  return {
    layouts: random.uniform() < 0.5 ? [...layouts, ...layouts.map(reverseTrack)] : layouts,
    vehicle: HIRE_KART,
    topSpeeds: [12, 30],
  };
}

/** The same track as a library has it: some metres off, with a length that somebody measured, and not always complete. */
function asTold(random: Random, track: Track): Track {
  const offset = { x: 2.5 * random.normal(), y: 2.5 * random.normal() };
  const moved = movedTrack(track, offset, track.id);
  const line = track.startFinishLine;
  const dice = random.uniform();
  const bearingDeg = line?.bearingDeg ?? null;
  const statedBearingDeg =
    dice < 0.1 ? null : dice < 0.13 && bearingDeg !== null ? (bearingDeg + 180) % 360 : bearingDeg;
  const length = track.lengthMeters === null ? null : track.lengthMeters * (1 + 0.015 * random.normal());
  return {
    ...track,
    startFinishLine: line && { ...line, bearingDeg: statedBearingDeg },
    outline: random.uniform() < 0.15 ? null : moved.outline,
    lengthMeters: random.uniform() < 0.2 ? null : length,
    sectors: random.uniform() < 0.4 ? [] : track.sectors,
  };
}

const CUT_METERS = [60, 350] as const;
const CUT_SHARE = [0.1, 0.55] as const;
const LINE_FREE_SHARE = 0.08;

/** Another layout of the same place: where two sections of the track come close, a new one leads from one to the other. */
function shortcutOf(track: Track, random: Random): Track[] | null {
  const points = (track.outline ?? []).slice(0, -1);
  const cuts: [from: number, to: number][] = [];
  const free = Math.ceil(LINE_FREE_SHARE * points.length);
  for (let from = free; from < points.length - free; from += 1) {
    for (let to = from + 1; to < points.length - free; to += 1) {
      const share = (to - from) / points.length;
      if (share < CUT_SHARE[0] || share > CUT_SHARE[1]) continue;
      const meters = metersBetween(points[from], points[to]);
      if (meters < CUT_METERS[0] || meters > CUT_METERS[1]) continue;
      const chord = between(points[from], points[to]);
      if (points.slice(from, to).some((point) => isFarFrom(point, chord))) cuts.push([from, to]);
    }
  }
  if (cuts.length === 0) return null;
  const [from, to] = oneOf(random, cuts);
  const chord = between(points[from], points[to]);
  const outline = [...points.slice(0, from + 1), ...chord, ...points.slice(to)];
  const closed = [...outline, ...outline.slice(0, 1)];
  return [{ ...track, id: `${track.id}-cut`, outline: closed, lengthMeters: lengthOf(closed), sectors: [] }];
}

/** Points between two others, so close that a curve through them does not swing. */
function between(one: OutlinePoint | undefined, other: OutlinePoint | undefined): OutlinePoint[] {
  if (one === undefined || other === undefined) return [];
  const pieces = Math.ceil(metersBetween(one, other) / CHORD_PIECE_METERS);
  return Array.from({ length: pieces - 1 }, (_, piece): OutlinePoint => {
    const share = (piece + 1) / pieces;
    return [one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])];
  });
}

const CHORD_PIECE_METERS = 15;

/** A layout that is another by less than this is the same. */
function isFarFrom(point: OutlinePoint, chord: readonly OutlinePoint[]): boolean {
  return chord.every((other) => metersBetween(point, other) > OTHER_WAY_METERS);
}

const OTHER_WAY_METERS = 40;

function lengthOf(outline: readonly OutlinePoint[]): number {
  return outline.reduce((sum, point, index) => sum + metersBetween(outline[index - 1] ?? point, point), 0);
}

function metersBetween(one: OutlinePoint | undefined, other: OutlinePoint | undefined): number {
  if (one === undefined || other === undefined) return Number.NaN;
  return distanceMeters({ lat: one[0], lon: one[1] }, { lat: other[0], lon: other[1] });
}

function traceOf(fixes: DrivenFix[]): Trace {
  return buildTrace(toLapFile(fixes));
}

function oneOf<T>(random: Random, choices: readonly T[]): T {
  const choice = choices[Math.floor(random.uniform() * choices.length)];
  if (choice === undefined) throw new Error('There is nothing to choose from.');
  return choice;
}
