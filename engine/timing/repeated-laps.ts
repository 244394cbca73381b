import { at, type FixColumns } from '../fix-columns.ts';
import { planeAround, planeX, planeY } from '../geo.ts';
import { MAD_PER_DEVIATION, median } from '../statistics.ts';
import type { Trace } from '../trace/trace.ts';

/** Describes a moment at which the car was somewhere, and when it next came by there in the same direction. */
export type Return = { fromMs: number; toMs: number };

/** Describes one lap beside the next, from any point of the track: how far all of it has moved between the two. */
export type LapShift = {
  seconds: number;
  eastMeters: number;
  northMeters: number;
  /** The variance that another line in every corner explains, for each of the two, in square metres. */
  lineVariance: number;
};

/** Describes what laps of the same way show, wherever they begin: no line and no track is needed. */
export type RepeatedLaps = { returns: Return[]; shifts: LapShift[] };

/** Fixes of quick receivers this far apart are enough; places to look at are farther apart. */
const FIX_MS = 200;
const SAMPLE_MS = 500;
/** Less is a car that turns round; more is another stint. */
const LAP_MIN_MS = 15_000;
const LAP_MAX_MS = 600_000;
const SPEED_MIN_METERS_PER_SECOND = 5;
/** A pass lies within the width of a track, and some more. */
const ASIDE_MAX_METERS = 15;
const SAME_DIRECTION_COSINE = 0.8;
/** In between, the path back to a place begins where the car came back to the place before it. */
const SEARCH_EVERY_SAMPLES = 8;
/** From where the car came by the place before, it takes no longer to the next. */
const NEXT_PLACE_MS = 4000;
/** With fewer places, half of a lap is unknown. */
const PLACES_MIN = 12;

/** Finds laps by where the car comes by again, and measures by how much each lies beside the one before. */
export function findRepeatedLaps(trace: Trace): RepeatedLaps {
  const stride = Math.max(1, Math.round(FIX_MS / (trace.intervalMs ?? FIX_MS)));
  const places = trace.partStarts.flatMap((first, part) =>
    findPlaces(toPath(trace.fixes, { first, end: trace.partStarts[part + 1] ?? trace.fixes.length, stride })),
  );
  return {
    returns: places.map(({ fromMs, toMs }) => ({ fromMs, toMs })),
    shifts: splitIntoLaps(places).flatMap(measureShift),
  };
}

/** Positions in a plane, some of the fixes of an unbroken part of a trace. */
type Path = { length: number; timesMs: Float64Array; xs: Float64Array; ys: Float64Array };

function toPath(
  { timesMs, lats, lons }: FixColumns,
  { first, end, stride }: { first: number; end: number; stride: number },
): Path {
  const length = Math.ceil((end - first) / stride);
  const plane = planeAround({ lat: at(lats, first), lon: at(lons, first) });
  const path = {
    length,
    timesMs: new Float64Array(length),
    xs: new Float64Array(length),
    ys: new Float64Array(length),
  };
  for (let index = 0; index < length; index += 1) {
    const fix = first + index * stride;
    path.timesMs[index] = at(timesMs, fix);
    path.xs[index] = planeX(plane, at(lons, fix));
    path.ys[index] = planeY(plane, at(lats, fix));
  }
  return path;
}

/** Describes a place that the car came back to after a fix: which way is to the right there, and how far to the right it came by. */
type Place = Return & { fix: number; rightX: number; rightY: number; asideMeters: number };

/** Describes a fix and the direction of the car there, of length 1. */
type Sample = { fix: number; x: number; y: number; alongX: number; alongY: number };

function findPlaces(path: Path): Place[] {
  const samples = takeSamples(path);
  const longestMeters = longestStepMeters(samples);
  const places: Place[] = [];
  let guess = -1;
  samples.forEach((sample, index) => {
    // The search is repeated now and then: after a place in the pits, the next return may be laps away.
    if (index % SEARCH_EVERY_SAMPLES === 0) guess = searchReturn(path, samples, index, longestMeters);
    const found = guess < 0 ? null : passBy(path, sample, guess);
    guess = found === null ? -1 : found.fix;
    if (found !== null) places.push(found);
  });
  return places;
}

function takeSamples(path: Path): Sample[] {
  const samples: Sample[] = [];
  let nextMs = Number.NEGATIVE_INFINITY;
  for (let fix = 1; fix + 1 < path.length; fix += 1) {
    if (at(path.timesMs, fix) < nextMs) continue;
    const x = at(path.xs, fix + 1) - at(path.xs, fix - 1);
    const y = at(path.ys, fix + 1) - at(path.ys, fix - 1);
    const meters = Math.sqrt(x * x + y * y);
    const seconds = (at(path.timesMs, fix + 1) - at(path.timesMs, fix - 1)) / 1000;
    if (!(meters > SPEED_MIN_METERS_PER_SECOND * seconds)) continue;
    nextMs = at(path.timesMs, fix) + SAMPLE_MS;
    samples.push({
      fix,
      x: at(path.xs, fix),
      y: at(path.ys, fix),
      alongX: x / meters,
      alongY: y / meters,
    });
  }
  return samples;
}

/** From one sample to the next, the car goes no farther than this. */
function longestStepMeters(samples: readonly Sample[]): number {
  return samples.reduce((longest, { x, y }, index) => {
    const before = samples[index - 1];
    return before === undefined ? longest : Math.max(longest, Math.hypot(x - before.x, y - before.y));
  }, 1);
}

/** A fix shortly before the car comes back to the place of a sample; -1 where it does not. */
function searchReturn(
  { timesMs }: Path,
  samples: readonly Sample[],
  index: number,
  longestMeters: number,
): number {
  const sample = samples[index];
  if (sample === undefined) return -1;
  const fromMs = at(timesMs, sample.fix);
  for (let next = index + 1; next < samples.length; next += 1) {
    const other = samples[next];
    if (other === undefined || at(timesMs, other.fix) > fromMs + LAP_MAX_MS) return -1;
    const x = other.x - sample.x;
    const y = other.y - sample.y;
    // It takes so many more samples until the car can be back.
    const awaySamples = Math.floor((Math.sqrt(x * x + y * y) - ASIDE_MAX_METERS) / longestMeters) - 1;
    if (awaySamples > 1) {
      next += awaySamples - 1;
      continue;
    }
    const before = samples[next - 1];
    if (before === undefined || at(timesMs, other.fix) < fromMs + LAP_MIN_MS) continue;
    const isSoon = at(timesMs, other.fix) - at(timesMs, before.fix) < NEXT_PLACE_MS;
    if (isSoon && hasPassed(sample, before, other)) return before.fix;
  }
  return -1;
}

/** Returns whether the place of a sample lies between two others, in the same direction and nearby. */
function hasPassed(sample: Sample, before: Sample, after: Sample): boolean {
  const { x, y, alongX, alongY } = sample;
  const aside = (after.x - x) * alongY - (after.y - y) * alongX;
  const cosine = after.alongX * alongX + after.alongY * alongY;
  if (Math.abs(aside) > ASIDE_MAX_METERS || cosine < SAME_DIRECTION_COSINE) return false;
  const ahead = (after.x - x) * alongX + (after.y - y) * alongY;
  const behind = (before.x - x) * alongX + (before.y - y) * alongY;
  return ahead >= 0 && behind <= 0;
}

/** Returns where the car next comes by the place of a sample, looked for from a fix before it on. */
function passBy(path: Path, sample: Sample, from: number): Place | null {
  const { length, timesMs } = path;
  const untilMs = at(timesMs, from) + NEXT_PLACE_MS;
  let before = metersAhead(path, sample, from);
  for (let fix = from; fix + 1 < length && at(timesMs, fix) <= untilMs; fix += 1) {
    const after = metersAhead(path, sample, fix + 1);
    if (before <= 0 && after > 0) {
      const share = before / (before - after);
      const asideMeters = metersAsideBetween(path, sample, fix, share);
      if (Math.abs(asideMeters) > ASIDE_MAX_METERS) return null;
      const toMs = at(timesMs, fix) + share * (at(timesMs, fix + 1) - at(timesMs, fix));
      const fromMs = at(timesMs, sample.fix);
      if (toMs < fromMs + LAP_MIN_MS) return null;
      return { fix, fromMs, toMs, rightX: sample.alongY, rightY: -sample.alongX, asideMeters };
    }
    before = after;
  }
  return null;
}

function metersAhead({ xs, ys }: Path, { x, y, alongX, alongY }: Sample, fix: number): number {
  return (at(xs, fix) - x) * alongX + (at(ys, fix) - y) * alongY;
}

function metersAside({ xs, ys }: Path, { x, y, alongX, alongY }: Sample, fix: number): number {
  return (at(xs, fix) - x) * alongY - (at(ys, fix) - y) * alongX;
}

/**
 * Interpolates between a fix and the next on a curve through four (Catmull and Rom): fixes a second apart are far from a straight line
 * in bends. At an end of the path, where four are not there, the line is straight.
 */
function metersAsideBetween(path: Path, sample: Sample, fix: number, share: number): number {
  const from = metersAside(path, sample, fix);
  const to = metersAside(path, sample, fix + 1);
  if (fix === 0 || fix + 2 >= path.length) return from + share * (to - from);
  const before = metersAside(path, sample, fix - 1);
  const after = metersAside(path, sample, fix + 2);
  const [slope, nextSlope] = [(to - before) / 2, (after - from) / 2];
  const bend = share * (1 - share);
  return (
    from +
    share * (to - from) +
    bend * ((1 - share) * (slope - (to - from)) - share * (nextSlope - (to - from)))
  );
}

/** Splits the places into those of one lap each: from one to where the car is there again. */
function splitIntoLaps(places: readonly Place[]): Place[][] {
  const laps: Place[][] = [];
  let lap: Place[] = [];
  let endMs = Number.NEGATIVE_INFINITY;
  for (const place of places) {
    if (place.fromMs >= endMs) {
      if (lap.length >= PLACES_MIN) laps.push(lap);
      lap = [];
      endMs = place.toMs;
    }
    lap.push(place);
  }
  // The last one may be a part of a lap, with bends in one direction only.
  return laps;
}

const ROUNDS = 4;
/** Differences larger than this many standard deviations count less and less (Huber's weights). */
const HUBER_DEVIATIONS = 1.345;
/** A driver who takes another line through a corner does so for three seconds or so: for so many places. */
const PLACES_PER_LINE = 7;
/** Two directions are needed: the smaller one has at least this share of the looks. */
const SHARE_MIN = 0.1;

/** Measures the shift of a whole lap that brings it nearest to the next, measured across the path; none where it hardly turns. */
function measureShift(lap: readonly Place[]): LapShift[] {
  let [east, north, lineVariance] = [0, 0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    const distances = new Float64Array(lap.length);
    let count = 0;
    for (const { asideMeters, rightX, rightY } of lap)
      distances[count++] = Math.abs(asideMeters - east * rightX - north * rightY);
    const deviation = (median(distances) ?? 0) / MAD_PER_DEVIATION;
    const limit = HUBER_DEVIATIONS * Math.max(deviation, 1e-3);
    let [xx, xy, yy, x, y] = [0, 0, 0, 0, 0];
    for (const { asideMeters, rightX, rightY } of lap) {
      const aside = asideMeters - east * rightX - north * rightY;
      const weight = Math.min(1, limit / Math.max(Math.abs(aside), 1e-9));
      xx += weight * rightX * rightX;
      xy += weight * rightX * rightY;
      yy += weight * rightY * rightY;
      x += weight * aside * rightX;
      y += weight * aside * rightY;
    }
    const determinant = xx * yy - xy * xy;
    if (!(determinant > SHARE_MIN * (1 - SHARE_MIN) * (xx + yy) ** 2)) return [];
    east += (yy * x - xy * y) / determinant;
    north += (xx * y - xy * x) / determinant;
    lineVariance = (deviation ** 2 * PLACES_PER_LINE * (xx + yy)) / 2 / determinant;
  }
  const seconds = median(lap.map(({ fromMs, toMs }) => (toMs - fromMs) / 1000)) ?? 0;
  return [{ seconds, eastMeters: east, northMeters: north, lineVariance }];
}
