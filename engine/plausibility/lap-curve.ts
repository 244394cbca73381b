import {
  deriveAccelerations,
  STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED,
} from '../comparison/accelerations.ts';
import type { TracedLap } from '../comparison/lap-trace.ts';
import { corridorMeters, type CenterLine } from '../center-line.ts';
import { at, type FixColumns } from '../fix-columns.ts';
import { planeAround, planeX, planeY, toPosition } from '../geo.ts';
import {
  fixesOfLap,
  greatestHeld,
  type Held,
  HELD_MS,
  listGains,
  repeatedGain,
  withSpeeds,
} from './lap-extremes.ts';

/** Names a quantity that an automatic check measures along a lap: in g, W/kg or km/h. */
export type MeasuredQuantity = 'cornering' | 'braking' | 'power' | 'speed';

/** Holds a quantity along a lap or an outline, with the stretch that a check means. All columns are equally long. */
export type LapCurve = {
  meters: Float64Array;
  lats: Float64Array;
  lons: Float64Array;
  /** NaN where the lap shows nothing. */
  values: Float64Array;
  held: Held;
};

const KMH = 3.6;

/** Follows a quantity along a lap; the stretch is the one that `measureExtremes` finds. */
export function followQuantity({ trace, lap }: TracedLap, quantity: MeasuredQuantity): LapCurve {
  const own = fixesOfLap(trace.fixes, lap);
  const fixes = withSpeeds(own);
  const { timesMs, lats, lons, speedsMetersPerSecond } = fixes;
  const place = { meters: measureWay(fixes), lats, lons };
  if (quantity === 'power') {
    const values = new Float64Array(own.length).fill(Number.NaN);
    for (const { first, last, value } of listGains(own)) values[Math.round((first + last) / 2)] = value;
    return { ...place, values, held: repeatedGain(own) };
  }
  if (quantity === 'speed') {
    const values = speedsMetersPerSecond.map((speed) => KMH * speed);
    return { ...place, values, held: greatestHeld(timesMs, values, HELD_MS) };
  }
  const { longitudinal, lateral } = deriveAccelerations(fixes);
  if (quantity === 'braking') {
    const values = inG(longitudinal.map((value) => -value));
    return { ...place, values, held: greatestHeld(timesMs, values, HELD_MS) };
  }
  const [right, left] = [inG(lateral), inG(lateral.map((value) => -value))];
  const sides = [right, left].map((values) => greatestHeld(timesMs, values, HELD_MS));
  const [held = { value: Number.NaN, first: 0, last: -1 }] = sides.toSorted((a, b) => b.value - a.value);
  return { ...place, values: right.map(Math.abs), held };
}

/** Converts m/s² to g. */
function inG(values: Float64Array): Float64Array {
  return values.map((value) => value / STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED);
}

/** Follows how far a lap stays from the outline of its track, along the outline; the stretch is the longest beyond the corridor. */
export function followOutline({ trace, lap }: TracedLap, line: CenterLine): LapCurve & { limit: number } {
  const { lats, lons } = fixesOfLap(trace.fixes, lap);
  const xs = lons.map((lon) => planeX(line.plane, lon));
  const ys = lats.map((lat) => planeY(line.plane, lat));
  const values = distancesToWay(line, xs, ys);
  const step = line.lengthMeters / line.xs.length;
  const isMissed = Array.from(values, (value, bin) => value > corridorMeters(line, bin));
  const positions = Array.from(line.xs, (x, bin) => toPosition(line.plane, { x, y: at(line.ys, bin) }));
  return {
    meters: line.xs.map((_, bin) => bin * step),
    lats: Float64Array.from(positions, ({ lat }) => lat),
    lons: Float64Array.from(positions, ({ lon }) => lon),
    values,
    held: longestRun(isMissed, step),
    limit: Math.min(...Array.from(values, (_, bin) => corridorMeters(line, bin))),
  };
}

/** Returns the longest run of true, with its length in metres as the value. */
function longestRun(flags: readonly boolean[], stepMeters: number): Held {
  let longest: Held = { value: 0, first: 0, last: -1 };
  let first = 0;
  flags.forEach((flag, index) => {
    if (!flag) first = index + 1;
    else if (index - first > longest.last - longest.first || longest.last < 0)
      longest = { value: (index - first + 1) * stepMeters, first, last: index };
  });
  return longest;
}

/**
 * Returns the distance of every point of an outline from the way through some positions, in metres. From a position that is so much farther off than the
 * nearest way yet, the way takes at least as many of its longest steps to be nearer, and these are not looked at.
 */
function distancesToWay(line: CenterLine, xs: Float64Array, ys: Float64Array): Float64Array {
  let longest = 0;
  for (let step = 1; step < xs.length; step += 1)
    longest = Math.max(longest, distance(at(xs, step) - at(xs, step - 1), at(ys, step) - at(ys, step - 1)));
  let nearest = 1;
  return line.xs.map((x, bin) => {
    const y = at(line.ys, bin);
    // The point before was nearest to the same step or to one near it.
    let least = xs.length > 1 ? distanceToStep(x, y, { xs, ys, step: nearest }) : Number.POSITIVE_INFINITY;
    for (let step = 1; step < xs.length; step += 1) {
      const farther = distance(x - at(xs, step - 1), y - at(ys, step - 1)) - least;
      if (farther >= longest) {
        step += Math.floor(farther / longest) - 1;
        continue;
      }
      const meters = distanceToStep(x, y, { xs, ys, step });
      if (meters < least) [nearest, least] = [step, meters];
    }
    return least;
  });
}

/** Returns the distance of a point from the way between two positions. */
function distanceToStep(
  x: number,
  y: number,
  { xs, ys, step }: { xs: Float64Array; ys: Float64Array; step: number },
): number {
  const [fromX, fromY] = [at(xs, step - 1), at(ys, step - 1)];
  const [alongX, alongY] = [at(xs, step) - fromX, at(ys, step) - fromY];
  const squared = alongX * alongX + alongY * alongY;
  const share = squared > 0 ? ((x - fromX) * alongX + (y - fromY) * alongY) / squared : 0;
  const within = Math.min(1, Math.max(0, share));
  return distance(x - fromX - within * alongX, y - fromY - within * alongY);
}

/** Does without `Math.hypot`, which is many times slower. */
function distance(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

/** Returns how far the car had gone at every fix, in metres. */
function measureWay({ lats, lons, length }: FixColumns): Float64Array {
  const meters = new Float64Array(length);
  const plane = planeAround({ lat: at(lats, 0), lon: at(lons, 0) });
  for (let row = 1; row < length; row += 1)
    meters[row] =
      at(meters, row - 1) +
      Math.hypot(
        planeX(plane, at(lons, row)) - planeX(plane, at(lons, row - 1)),
        planeY(plane, at(lats, row)) - planeY(plane, at(lats, row - 1)),
      );
  return meters;
}

/** Holds a curve at equal distances: the greatest value around each station, and the position there. */
export type ThinCurve = { meters: number[]; lats: number[]; lons: number[]; values: (number | null)[] };

/** Thins a curve to `count` stations at equal shares of its way; a peak of one fix stays. */
export function thinCurve({ meters, lats, lons, values }: LapCurve, count: number): ThinCurve {
  const total = meters.at(-1) ?? 0;
  const step = total / (count - 1);
  const stations = Array.from({ length: count }, (_, station) => station);
  const thin: ThinCurve = {
    meters: stations.map((station) => station * step),
    lats: [],
    lons: [],
    values: stations.map(() => null),
  };
  meters.forEach((place, row) => {
    const station = Math.min(count - 1, Math.round(place / step));
    const value = at(values, row);
    if (Number.isFinite(value)) thin.values[station] = Math.max(thin.values[station] ?? value, value);
  });
  let row = 0;
  for (const place of thin.meters) {
    while (row < meters.length - 1 && at(meters, row) < place) row += 1;
    thin.lats.push(at(lats, row));
    thin.lons.push(at(lons, row));
  }
  // Between fixes that lie far apart, a station has the value of the one before.
  thin.values.forEach((value, station) => {
    if (value === null && isBetween(thin.values, station))
      thin.values[station] = thin.values[station - 1] ?? null;
  });
  return thin;
}

/** Two fixes lie at most so many stations apart: a lap of 20 km with a fix a second. */
const STATIONS_APART_MAX = 3;

function isBetween(values: readonly (number | null)[], station: number): boolean {
  const next = values.slice(station + 1, station + 1 + STATIONS_APART_MAX);
  return station > 0 && values[station - 1] !== null && next.some((value) => value !== null);
}
