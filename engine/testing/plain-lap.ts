import type { LapComparison } from '../comparison/compare-laps.ts';
import type { TracedLap } from '../comparison/lap-trace.ts';
import { at } from '../fix-columns.ts';
import type { SpeedModel } from '../trace/speed-model.ts';

// Reads a lap for checks of a comparison and shares no code with it: the fixes are projected onto plain degrees, speeds are the
// receiver's own, and the braking and the slowest point are searched by themselves.

/** Holds a lap fix by fix: where on the stations of the comparison, how fast, and how much speed it loses. */
export type PlainLap = {
  timesMs: number[];
  places: number[];
  speeds: number[];
  decelerations: number[];
  startTimeMs: number;
  endTimeMs: number;
  endMeters: number;
};

export type Stations = Pick<LapComparison, 'lats' | 'lons' | 'meters'>;

/** A fix is looked for so many stations beyond the one of the fix before. */
const STATIONS_AHEAD = 60;
const MARGIN_MS = 1500;

export function readPlainLap(
  { lats, lons, meters }: Stations,
  { trace: { fixes }, lap, speeds: model }: TracedLap,
): PlainLap {
  const { startTimeMs } = lap;
  const endTimeMs = startTimeMs + lap.lapTimeMs;
  const endMeters = at(meters, meters.length - 1);
  const plain: PlainLap = {
    timesMs: [],
    places: [],
    speeds: [],
    decelerations: [],
    startTimeMs,
    endTimeMs,
    endMeters,
  };
  const shrink = Math.cos((at(lats, 0) * Math.PI) / 180);
  let station = 0;
  for (let fix = 0; fix < fixes.length; fix += 1) {
    const timeMs = at(fixes.timesMs, fix);
    if (timeMs < startTimeMs - MARGIN_MS || timeMs > endTimeMs + MARGIN_MS) continue;
    const speed = model === null ? speedOfPositions(fixes, fix) : receiverSpeed(fixes, fix, model);
    if (!Number.isFinite(speed)) continue;
    const squared = (index: number) =>
      (at(lats, index) - at(fixes.lats, fix)) ** 2 + (shrink * (at(lons, index) - at(fixes.lons, fix))) ** 2;
    let nearest = station;
    const last = Math.min(meters.length - 1, station + STATIONS_AHEAD);
    for (let index = station; index <= last; index += 1)
      if (squared(index) < squared(nearest)) nearest = index;
    station = nearest;
    // Between two stations, by how much nearer the one is than the other.
    const [before, after] = [Math.max(0, nearest - 1), Math.min(meters.length - 1, nearest + 1)];
    const spacing = squaredBetween(before, after) / Math.max(1, after - before) ** 2;
    const share = spacing > 0 ? (squared(before) - squared(after)) / (4 * spacing) : 0;
    const step = (at(meters, after) - at(meters, before)) / Math.max(1, after - before);
    plain.timesMs.push(timeMs);
    plain.places.push(at(meters, nearest) + Math.max(-1, Math.min(1, share)) * step);
    plain.speeds.push(speed);
  }
  plain.decelerations = plain.timesMs.map((timeMs) => decelerationAt(plain, timeMs));
  return plain;

  function squaredBetween(from: number, to: number): number {
    return (at(lats, from) - at(lats, to)) ** 2 + (shrink * (at(lons, from) - at(lons, to))) ** 2;
  }
}

const EARTH_METERS_PER_DEGREE = 111_320;

/** Without speeds in the file, the speed at a fix is the mean over this time before and after it. */
const POSITIONS_SPAN_MS = 300;

function speedOfPositions({ lats, lons, timesMs, length }: TracedLap['trace']['fixes'], fix: number): number {
  let [first, last, meters] = [fix, fix, 0];
  const metersTo = (index: number): number =>
    EARTH_METERS_PER_DEGREE *
    Math.hypot(
      at(lats, index + 1) - at(lats, index),
      Math.cos((at(lats, fix) * Math.PI) / 180) * (at(lons, index + 1) - at(lons, index)),
    );
  while (first > 0 && (first === fix || at(timesMs, fix) - at(timesMs, first) < POSITIONS_SPAN_MS)) {
    first -= 1;
    meters += metersTo(first);
  }
  while (last < length - 1 && (last === fix || at(timesMs, last) - at(timesMs, fix) < POSITIONS_SPAN_MS)) {
    meters += metersTo(last);
    last += 1;
  }
  return meters / ((at(timesMs, last) - at(timesMs, first)) / 1000);
}

/** Returns the speed that the receiver gave for the moment of a fix; it may give it late. */
function receiverSpeed(
  { timesMs, speedsMetersPerSecond, length }: TracedLap['trace']['fixes'],
  fix: number,
  { scale, delaySeconds }: SpeedModel,
): number {
  const timeMs = at(timesMs, fix) + 1000 * delaySeconds;
  let after = fix;
  while (after < length - 1 && at(timesMs, after) < timeMs) after += 1;
  while (after > 0 && at(timesMs, after - 1) >= timeMs) after -= 1;
  if (after === 0) return scale * at(speedsMetersPerSecond, 0);
  const share = (timeMs - at(timesMs, after - 1)) / (at(timesMs, after) - at(timesMs, after - 1));
  const [from, to] = [at(speedsMetersPerSecond, after - 1), at(speedsMetersPerSecond, after)];
  return scale * (from + Math.min(1, share) * (to - from));
}

/** At both ends the line says when the lap was there, whichever fix is nearest. */
export function speedAt(
  { places, timesMs, speeds, startTimeMs, endTimeMs, endMeters }: PlainLap,
  place: number,
): number {
  if (place <= 0) return valueAt(timesMs, speeds, startTimeMs);
  if (place >= endMeters) return valueAt(timesMs, speeds, endTimeMs);
  return valueAt(places, speeds, place);
}

/** Keys may fall here and there by noise; halving finds a step over `key` all the same. */
function valueAt(keys: readonly number[], values: readonly number[], key: number): number {
  let [before, after] = [0, keys.length - 1];
  while (after - before > 1) {
    const middle = (before + after) >> 1;
    if ((keys[middle] ?? Number.NaN) < key) before = middle;
    else after = middle;
  }
  const [from = 0, to = 0] = [keys[before], keys[after]];
  const share = to > from ? Math.max(0, Math.min(1, (key - from) / (to - from))) : 0;
  return (values[before] ?? Number.NaN) * (1 - share) + (values[after] ?? Number.NaN) * share;
}

export function lowestSpeed(lap: PlainLap, from: number, to: number): number {
  const within = lap.speeds.filter((_, index) => {
    const place = lap.places[index] ?? Number.NaN;
    return place > from && place < to;
  });
  return Math.min(speedAt(lap, from), ...within, speedAt(lap, to));
}

const BRAKING_METERS_PER_SECOND_SQUARED = 1.96;
/** The speeds before and after a fix are read so much earlier and later. */
const HALF_SPAN_MS = 300;
/** A braking that begins with the stretch may begin so much before it by another method; one that ends before it is of the corner before. */
const BEFORE_STRETCH_METERS = 25;
/** A driver who lifts the foot for so long, and gains less speed than this, brakes once. */
const LIFT_MAX_MS = 1000;
const LIFT_GAIN_MAX_METERS_PER_SECOND = 1;

/**
 * Returns where the braking begins that takes most speed off within a stretch: where the lap begins to lose more than
 * 0.2 g. Null where it does not brake.
 */
export function findBraking(lap: PlainLap, from: number, to: number): number | null {
  const [places, speeds, decelerations] = [lap.places, lap.speeds, lap.decelerations].map((column) =>
    Float64Array.from(column),
  );
  if (places === undefined || speeds === undefined || decelerations === undefined) return null;
  const isBrakingAt = (fix: number): boolean =>
    at(places, fix) >= from - BEFORE_STRETCH_METERS &&
    at(places, fix) <= to &&
    at(decelerations, fix) >= BRAKING_METERS_PER_SECOND_SQUARED;
  let [begin, end, best, most] = [0, 0, 0, 0];
  for (let fix = 1; fix < places.length; fix += 1) {
    if (!isBrakingAt(fix)) continue;
    if (begin === 0 || !isShortLift(lap, end, fix)) begin = fix;
    end = fix;
    // A braking between two fixes a second apart shows at one of them.
    const lost = at(speeds, begin - 1) - at(speeds, end);
    if (lost > most && at(places, end) >= from) [best, most] = [begin, lost];
  }
  return best === 0
    ? null
    : valueAt(
        [at(decelerations, best - 1), at(decelerations, best)],
        [at(places, best - 1), at(places, best)],
        BRAKING_METERS_PER_SECOND_SQUARED,
      );
}

/** Returns whether the driver only lifted the foot between two moments of braking. */
function isShortLift({ timesMs, speeds }: PlainLap, from: number, to: number): boolean {
  return (
    (timesMs[to] ?? 0) - (timesMs[from] ?? 0) <= LIFT_MAX_MS &&
    (speeds[to] ?? 0) - (speeds[from] ?? 0) <= LIFT_GAIN_MAX_METERS_PER_SECOND
  );
}

function decelerationAt({ timesMs, speeds }: PlainLap, timeMs: number): number {
  const [before, after] = [timeMs - HALF_SPAN_MS, timeMs + HALF_SPAN_MS].map((wanted) =>
    valueAt(timesMs, speeds, wanted),
  );
  return ((before ?? Number.NaN) - (after ?? Number.NaN)) / ((2 * HALF_SPAN_MS) / 1000);
}
