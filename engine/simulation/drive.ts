import { at, columnOf } from '../fix-columns.ts';
import { type PlanePoint, type Position, toPlane, toPosition } from '../geo.ts';
import type { LapFile } from '../lap-file.ts';
import { toLineFrame, type TimingLine } from '../timing-line.ts';
import type { Track } from '../track.ts';
import { seededRandom, type Random } from './random.ts';
import { EXACT_RECEIVER, type Receiver } from './receiver.ts';
import { outlineLength, recordFixes, type DrivenFix, type Motion } from './record-fixes.ts';
import { drivingStyles, type DrivingStyle } from './driving-style.ts';
import { findRacingLine, type RacingLine } from './racing-line.ts';
import { racingSpeeds, type RacingSteps, type Vehicle } from './racing-speeds.ts';
import { element, buildRoad, type Road } from './road.ts';

export type { DrivenFix } from './record-fixes.ts';
export type { Vehicle } from './racing-speeds.ts';

/** Describes what really happened in one lap, free of any sampling. */
export type TrueLap = { startTimeMs: number; lapTimeMs: number; sectorTimesMs: number[] };

/** A drive as it was recorded, beside the truth. Times count from the Unix epoch. */
export type SimulatedDrive = {
  fixes: DrivenFix[];
  trueLaps: TrueLap[];
  /**
   * When and how fast the car really passed every metre of the centre line, from the lead-in to the lead-out; found at the
   * first reading.
   */
  readonly passages: Passage[];
};

type Passage = { position: Position; timeMs: number; speedMetersPerSecond: number };

/** Describes how a drive is to be; everything but the seed and the number of laps has a default. */
export type DriveOptions = {
  seed: number;
  laps: number;
  startTimeMs?: number;
  /** Driven before the first and after the last pass over the line. */
  leadInMeters?: number;
  leadOutMeters?: number;
  topSpeedMetersPerSecond?: number;
  vehicle?: Vehicle;
  /**
   * Seed of the driver's style: drivers with other seeds take other lines, brake elsewhere and are quick in other
   * corners. Without it, the car drives in the middle of the road.
   */
  styleSeed?: number;
  /** Returns what the driver does otherwise at some places, by metres of the centre line from its first point, counted around. */
  habits?: (meter: number) => Partial<DrivingStyle>;
  /** Seed of the receiver's errors, where two drives are to differ by them alone; those of `seed` by default. */
  receiverSeed?: number;
  isReversed?: boolean;
  /** Length over which the corners of the outline are rounded; see `buildRoad`. */
  roundingMeters?: number;
  /**
   * Lets the car use this much of the road to either side of the outline: it takes the line of least bending, brakes and
   * accelerates with what turning leaves of the grip, and feels the air. Without it, the car follows the outline.
   */
  racingLine?: { halfWidthMeters: number };
  receiver?: Partial<Receiver>;
};

/** The car is a quick road car on good tyres. */
const ROAD_CAR: Vehicle = { cornering: 11, braking: 9.5, traction: 5.5, wattsPerKilogram: 190 };
const TOP_METERS_PER_SECOND = 65;
const ROLLING_START_METERS_PER_SECOND = 6;
/** The driver wanders this far from the middle of the road. */
const WANDER_METERS = 1.5;

/**
 * Drives `laps` laps on the track's outline with a bit before and after, and records it. Same seed, same drive. Throws where the
 * track has no outline.
 */
export function simulateDrive(track: Track, options: DriveOptions): SimulatedDrive {
  const random = seededRandom(options.seed);
  const { isReversed = false } = options;
  const { road, line } = findCourse(track, options);
  const motion = line ? race(line, road, random, options) : moveAlong(road, random, options);
  const { receiver, receiverSeed } = options;
  const errors = receiverSeed === undefined ? random : seededRandom(receiverSeed);
  const fixes = recordFixes(motion, road.plane, errors, { ...EXACT_RECEIVER, ...receiver });
  let passages: Passage[] | undefined;
  return {
    fixes,
    trueLaps: findTrueLaps(motion, road, track, isReversed),
    get passages() {
      return (passages ??= findPassages(motion, road, leadInSteps(options)));
    },
  };
}

function findPassages({ timesMs, speeds }: Motion, road: Road, leadIn: number): Passage[] {
  return Array.from(timesMs, (timeMs, step) => ({
    position: toPosition(road.plane, element(road.points, step - leadIn)),
    timeMs,
    speedMetersPerSecond: at(speeds, step),
  }));
}

type Course = { road: Road; line: RacingLine | null };

/** Finding a line takes longer than driving on it, and many drives are on the same few tracks. */
const coursesByTrack = new WeakMap<Track, Map<string, Course>>();

function findCourse(track: Track, { isReversed = false, roundingMeters, racingLine }: DriveOptions): Course {
  const courses = coursesByTrack.get(track) ?? new Map<string, Course>();
  coursesByTrack.set(track, courses);
  const key = [isReversed, roundingMeters, racingLine?.halfWidthMeters].join(' ');
  const known = courses.get(key);
  if (known) return known;
  const road = buildRoad(track, isReversed, roundingMeters, racingLine !== undefined);
  const course = { road, line: racingLine ? findRacingLine(road, racingLine.halfWidthMeters) : null };
  courses.set(key, course);
  return course;
}

/** A drive as the engine gets it from a format. */
export function toLapFile(fixes: DrivenFix[]): LapFile {
  const column = (value: (fix: DrivenFix) => number) =>
    columnOf(fixes.length, (index) => value(element(fixes, index)));
  return {
    format: 'simulated',
    fixes: {
      length: fixes.length,
      timesMs: column((fix) => fix.timeMs),
      lats: column((fix) => fix.lat),
      lons: column((fix) => fix.lon),
      speedsMetersPerSecond: column((fix) => fix.speedMetersPerSecond),
    },
    partStarts: [0],
    clock: 'utc',
    dropped: {},
    loggerLaps: [],
    receiverRateHz: null,
    isSimulated: false,
    startFinishLine: null,
    accuracy: null,
  };
}

function leadInSteps({ leadInMeters = 300 }: DriveOptions): number {
  return Math.round(leadInMeters);
}

function moveAlong(road: Road, random: Random, options: DriveOptions): Motion {
  const leadIn = leadInSteps(options);
  const count = countSteps(road, options);
  const vehicle = options.vehicle ?? ROAD_CAR;
  const wander = wandering(random);
  const mood = wandering(random);
  const styles = habitualStyles(road, options);
  const points = Array.from({ length: count }, (_, step): PlanePoint => {
    const [center, right] = [element(road.points, step - leadIn), element(road.rights, step - leadIn)];
    const offset = WANDER_METERS * wander(step) + element(styles, step - leadIn).asideMeters;
    return { x: center.x + offset * right.x, y: center.y + offset * right.y };
  });
  const column = (value: (style: DrivingStyle, step: number) => number) =>
    columnOf(count, (step) => value(element(styles, step - leadIn), step));
  const limits = column(({ corneringFactor, topSpeedMetersPerSecond }, step) => {
    const curvature = Math.max(element(road.curvatures, step - leadIn), 1e-6);
    const grip = (corneringFactor * vehicle.cornering) / curvature;
    const limit = Math.min(options.topSpeedMetersPerSecond ?? TOP_METERS_PER_SECOND, Math.sqrt(grip));
    return Math.min(limit * (1 + 0.015 * mood(step)), topSpeedMetersPerSecond);
  });
  const brakings = column(({ brakingFactor }) => brakingFactor * vehicle.braking);
  const pushes = column(({ pushFactor }) => pushFactor);
  return timed(points, smoothed(driven({ limits, brakings, pushes }, vehicle)), options);
}

/** Returns the style of the driver at every metre of the road, with the habits that differ from it. */
function habitualStyles(road: Road, { styleSeed, habits }: DriveOptions): DrivingStyle[] {
  const styles = drivingStyles(styleSeed, road.points.length);
  return habits ? styles.map((style, meter) => ({ ...style, ...habits(meter) })) : styles;
}

function countSteps(road: Road, options: DriveOptions): number {
  return leadInSteps(options) + options.laps * road.points.length + Math.round(options.leadOutMeters ?? 250);
}

function timed(points: PlanePoint[], speeds: Float64Array, { startTimeMs }: DriveOptions): Motion {
  let timeMs = startTimeMs ?? Date.UTC(2026, 4, 16, 9, 30, 0);
  const timesMs = columnOf(points.length, (step) => {
    if (step > 0)
      timeMs += (2000 * outlineLength(points, step - 1)) / (at(speeds, step - 1) + at(speeds, step));
    return timeMs;
  });
  return { points, speeds, timesMs };
}

/** A driver who knows the line leaves it by this share of what one in the middle of the road wanders. */
const LINE_WANDER_SHARE = 0.3;
/** Drivers who know the line still brake at other points, by more than those who feel their way around. */
const BRAKING_CONTRAST = 2.4;

function race(line: RacingLine, road: Road, random: Random, options: DriveOptions): Motion {
  const leadIn = leadInSteps(options);
  const count = countSteps(road, options);
  const [wander, mood] = [wandering(random), wandering(random)];
  const styles = habitualStyles(road, options);
  const points = Array.from({ length: count }, (_, step): PlanePoint => {
    const [point, right] = [element(line.points, step - leadIn), element(line.rights, step - leadIn)];
    const { asideMeters } = element(styles, step - leadIn);
    const offset = LINE_WANDER_SHARE * (WANDER_METERS * wander(step) + asideMeters);
    return { x: point.x + offset * right.x, y: point.y + offset * right.y };
  });
  const column = (value: (style: DrivingStyle, step: number) => number) =>
    columnOf(count, (step) => value(element(styles, step - leadIn), step));
  const steps: RacingSteps = {
    meters: column((_, step) => (step + 1 < count ? outlineLength(points, step) : 1)),
    curvatures: column((_, step) => element(line.curvatures, step - leadIn)),
    corneringFactors: column(({ corneringFactor }, step) => corneringFactor * (1 + 0.03 * mood(step))),
    brakingFactors: column(({ brakingFactor }) => 1 + BRAKING_CONTRAST * (brakingFactor - 1)),
    pushFactors: column(({ pushFactor }) => pushFactor),
    throttleMeters: column(({ throttleMeters }) => throttleMeters),
  };
  const speeds = racingSpeeds(steps, options.vehicle ?? ROAD_CAR, {
    startMetersPerSecond: ROLLING_START_METERS_PER_SECOND,
    topMetersPerSecond: options.topSpeedMetersPerSecond ?? TOP_METERS_PER_SECOND,
  });
  return timed(points, smoothed(speeds), options);
}

/** Returns a smooth wish between -1 and 1 that does not repeat from lap to lap. */
function wandering(random: Random): (step: number) => number {
  const waves = Array.from({ length: 5 }, () => ({
    metersPerRadian: 60 + 140 * random.uniform(),
    phase: 2 * Math.PI * random.uniform(),
  }));
  return (step) => {
    let sum = 0;
    for (const { metersPerRadian, phase } of waves) sum += Math.sin(step / metersPerRadian + phase);
    return sum / waves.length;
  };
}

/** The quickest speeds under the limits that the vehicle allows, from a rolling start. */
function driven(
  { limits, brakings, pushes }: { limits: Float64Array; brakings: Float64Array; pushes: Float64Array },
  { traction, wattsPerKilogram }: Vehicle,
): Float64Array {
  const speeds = limits.slice();
  for (let step = speeds.length - 2; step >= 0; step -= 1) {
    const reachable = Math.sqrt(at(speeds, step + 1) ** 2 + 2 * at(brakings, step));
    speeds[step] = Math.min(at(speeds, step), reachable);
  }
  speeds[0] = ROLLING_START_METERS_PER_SECOND;
  for (let step = 1; step < speeds.length; step += 1) {
    const before = at(speeds, step - 1);
    const push = at(pushes, step) * Math.min(traction, wattsPerKilogram / before);
    speeds[step] = Math.min(at(speeds, step), Math.sqrt(before ** 2 + 2 * push));
  }
  return speeds;
}

/** Feet take a moment to change pedals: accelerations change over some metres, not at once. */
function smoothed(speeds: Float64Array): Float64Array {
  const reach = 6;
  return speeds.map((_, step) => {
    const [from, to] = [Math.max(0, step - reach), Math.min(speeds.length - 1, step + reach)];
    let sum = 0;
    for (let near = from; near <= to; near += 1) sum += at(speeds, near);
    return sum / (to - from + 1);
  });
}

function findTrueLaps(motion: Motion, road: Road, track: Track, isReversed: boolean): TrueLap[] {
  if (track.startFinishLine === null) return [];
  const starts = truePasses(motion, road, track.startFinishLine, isReversed);
  const sectorLines = isReversed ? track.sectors.toReversed() : track.sectors;
  const sectorPasses = sectorLines.map((line) => truePasses(motion, road, line, isReversed));
  return starts.slice(0, -1).map((startTimeMs, lap) => {
    const endTimeMs = element(starts, lap + 1);
    const splits = sectorPasses.map((passes) =>
      passes.find((pass) => pass > startTimeMs && pass < endTimeMs),
    );
    const ends = [...splits.filter((split) => split !== undefined), endTimeMs];
    const sectorTimesMs = ends.map(
      (end, index) => end - (index === 0 ? startTimeMs : element(ends, index - 1)),
    );
    return { startTimeMs, lapTimeMs: endTimeMs - startTimeMs, sectorTimesMs };
  });
}

/** When the car itself went over a line, to the last digit. */
function truePasses(motion: Motion, road: Road, line: TimingLine, isReversed: boolean): number[] {
  const frame = toLineFrame(line);
  if (frame === null) return [];
  const origin = toPlane(road.plane, frame.plane.origin);
  const sign = isReversed ? -1 : 1;
  const ahead = columnOf(motion.points.length, (step) => {
    const { x, y } = element(motion.points, step);
    return sign * ((x - origin.x) * frame.forward.x + (y - origin.y) * frame.forward.y);
  });
  const passes: number[] = [];
  for (let step = 0; step + 1 < ahead.length; step += 1) {
    const [before, after] = [at(ahead, step), at(ahead, step + 1)];
    if (before > 0 || after <= 0) continue;
    const point = element(motion.points, step);
    const aside = Math.abs((point.x - origin.x) * frame.right.x + (point.y - origin.y) * frame.right.y);
    if (aside > frame.halfWidthMeters) continue;
    const u = before / (before - after);
    const [speed, next] = [at(motion.speeds, step), at(motion.speeds, step + 1)];
    const speedThere = Math.sqrt(speed ** 2 + u * (next ** 2 - speed ** 2));
    const meters = u * outlineLength(motion.points, step);
    passes.push(at(motion.timesMs, step) + (2000 * meters) / (speed + speedThere));
  }
  return passes;
}
