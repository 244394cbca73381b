import type { Cause } from '../comparison/causes.ts';
import type { LapComparison } from '../comparison/compare-laps.ts';
import type { TracedLap } from '../comparison/lap-trace.ts';
import { at } from '../fix-columns.ts';
import type { SpeedModel } from '../trace/speed-model.ts';

// Checks what a comparison says of a pair of laps against their fixes. It shares no code with the comparison: places are the nearest
// stations of plain degrees, speeds are the receiver's own, and braking begins where these fall by 0.2 g.

/** Holds a lap fix by fix: where on the stations of the comparison, and how fast. */
type PlainLap = {
  timesMs: number[];
  places: number[];
  speeds: number[];
  startTimeMs: number;
  endTimeMs: number;
  endMeters: number;
};

/** Holds what a comparison says of a stretch. */
type Claim = {
  cause: Cause;
  startMeters: number;
  endMeters: number;
  /** Gives the braking points of both laps. */
  brakingMeters: readonly (number | null)[];
};

/** Returns whether the fixes of both laps show a cause, in its direction and about as large. */
export function isConfirmed(
  comparison: Pick<LapComparison, 'lats' | 'lons' | 'meters'>,
  [first, second]: readonly [TracedLap, TracedLap],
  { cause, startMeters, endMeters, brakingMeters }: Claim,
): boolean {
  const laps = [readPlainLap(comparison, first), readPlainLap(comparison, second)] as const;
  if (cause.kind === 'braking') {
    const points = laps.map((lap, index) => brakingPoint(lap, brakingMeters[index] ?? Number.NaN));
    return isAbout(cause.earlierMeters, (points[0] ?? Number.NaN) - (points[1] ?? Number.NaN), METERS_ALIKE);
  }
  const [reference = Number.NaN, own = Number.NaN] = laps.map((lap) =>
    cause.kind === 'slowest-speed'
      ? Math.min(...speedsBetween(lap, startMeters, endMeters))
      : speedAt(lap, cause.atMeters),
  );
  return isAbout(cause.slowerMetersPerSecond, reference - own, SPEEDS_ALIKE);
}

/** Two ways to measure the same braking or the same speed differ by so much, or by a third. */
const METERS_ALIKE = 6;
const SPEEDS_ALIKE = 0.6;

function isAbout(named: number, found: number, alike: number): boolean {
  return named * found > 0 && Math.abs(named - found) <= Math.max(alike, Math.abs(named) / 3);
}

/** A fix is looked for so many stations beyond the one of the fix before. */
const STATIONS_AHEAD = 60;
const MARGIN_MS = 1500;

function readPlainLap(
  { lats, lons, meters }: Pick<LapComparison, 'lats' | 'lons' | 'meters'>,
  { trace: { fixes }, lap, speeds: model }: TracedLap,
): PlainLap {
  const { startTimeMs } = lap;
  const endTimeMs = startTimeMs + lap.lapTimeMs;
  const endMeters = at(meters, meters.length - 1);
  const plain: PlainLap = { timesMs: [], places: [], speeds: [], startTimeMs, endTimeMs, endMeters };
  const shrink = Math.cos((at(lats, 0) * Math.PI) / 180);
  let station = 0;
  for (let fix = 0; fix < fixes.length; fix += 1) {
    const timeMs = at(fixes.timesMs, fix);
    if (timeMs < startTimeMs - MARGIN_MS || timeMs > endTimeMs + MARGIN_MS) continue;
    const squared = (index: number) =>
      (at(lats, index) - at(fixes.lats, fix)) ** 2 + (shrink * (at(lons, index) - at(fixes.lons, fix))) ** 2;
    let nearest = station;
    const last = Math.min(meters.length - 1, station + STATIONS_AHEAD);
    for (let index = station; index <= last; index += 1)
      if (squared(index) < squared(nearest)) nearest = index;
    station = nearest;
    // Between two stations, by how much nearer the one is than the other.
    const [before, after] = [Math.max(0, nearest - 1), Math.min(meters.length - 1, nearest + 1)];
    const spacing = squaredBetween(lats, lons, before, after) / Math.max(1, after - before) ** 2;
    const share = spacing > 0 ? (squared(before) - squared(after)) / (4 * spacing) : 0;
    const step = (at(meters, after) - at(meters, before)) / Math.max(1, after - before);
    plain.timesMs.push(timeMs);
    plain.places.push(at(meters, nearest) + Math.max(-1, Math.min(1, share)) * step);
    plain.speeds.push(model === null ? speedOfPositions(fixes, fix) : receiverSpeed(fixes, fix, model));
  }
  return plain;

  function squaredBetween(a: Float64Array, b: Float64Array, from: number, to: number): number {
    return (at(a, from) - at(a, to)) ** 2 + (shrink * (at(b, from) - at(b, to))) ** 2;
  }
}

const EARTH_METERS_PER_DEGREE = 111_320;

/** Returns the speed from the fixes before and after. */
function speedOfPositions({ lats, lons, timesMs, length }: TracedLap['trace']['fixes'], fix: number): number {
  const [before, after] = [Math.max(0, fix - 1), Math.min(length - 1, fix + 1)];
  const north = at(lats, after) - at(lats, before);
  const east = Math.cos((at(lats, fix) * Math.PI) / 180) * (at(lons, after) - at(lons, before));
  return (
    (EARTH_METERS_PER_DEGREE * Math.hypot(north, east)) / ((at(timesMs, after) - at(timesMs, before)) / 1000)
  );
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
function speedAt(
  { places, timesMs, speeds, startTimeMs, endTimeMs, endMeters }: PlainLap,
  place: number,
): number {
  if (place <= 0) return valueAt(timesMs, speeds, startTimeMs);
  if (place >= endMeters) return valueAt(timesMs, speeds, endTimeMs);
  return valueAt(places, speeds, place);
}

function valueAt(keys: readonly number[], values: readonly number[], key: number): number {
  const after = keys.findIndex((each) => each >= key);
  if (after <= 0) return values.at(after) ?? Number.NaN;
  const [from = 0, to = 0] = [keys[after - 1], keys[after]];
  const share = to > from ? (key - from) / (to - from) : 0;
  return (values[after - 1] ?? Number.NaN) * (1 - share) + (values[after] ?? Number.NaN) * share;
}

function speedsBetween(lap: PlainLap, from: number, to: number): number[] {
  const within = lap.speeds.filter((_, index) => {
    const place = lap.places[index] ?? Number.NaN;
    return place > from && place < to;
  });
  return [speedAt(lap, from), ...within, speedAt(lap, to)];
}

const BRAKING_METERS_PER_SECOND_SQUARED = 1.96;
/** The speeds before and after a fix are read so much earlier and later. */
const HALF_SPAN_MS = 300;
const NEAR_METERS = 30;

/** Returns where a lap begins to lose more than 0.2 g, nearest to a place; NaN where it does not. */
function brakingPoint(lap: PlainLap, place: number): number {
  const decelerations = lap.timesMs.map((timeMs) => decelerationAt(lap, timeMs));
  let nearest = Number.NaN;
  for (let fix = 1; fix < lap.places.length; fix += 1) {
    const [before, after] = [decelerations[fix - 1] ?? 0, decelerations[fix] ?? 0];
    if (before >= BRAKING_METERS_PER_SECOND_SQUARED || after < BRAKING_METERS_PER_SECOND_SQUARED) continue;
    const share = (BRAKING_METERS_PER_SECOND_SQUARED - before) / (after - before);
    const [from = 0, to = 0] = [lap.places[fix - 1], lap.places[fix]];
    const found = from + share * (to - from);
    const isNearer = Number.isNaN(nearest) || Math.abs(found - place) < Math.abs(nearest - place);
    if (isNearer && Math.abs(found - place) < NEAR_METERS) nearest = found;
  }
  return nearest;
}

function decelerationAt({ timesMs, speeds }: PlainLap, timeMs: number): number {
  const [before, after] = [timeMs - HALF_SPAN_MS, timeMs + HALF_SPAN_MS].map((wanted) =>
    valueAt(timesMs, speeds, wanted),
  );
  return ((before ?? Number.NaN) - (after ?? Number.NaN)) / ((2 * HALF_SPAN_MS) / 1000);
}
