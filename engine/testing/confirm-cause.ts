import type { Cause } from '../comparison/causes.ts';
import type { LapComparison } from '../comparison/compare-laps.ts';
import type { TracedLap } from '../comparison/lap-trace.ts';
import { at } from '../fix-columns.ts';

// Checks what a comparison says of a pair of laps against their fixes. It shares no code with the comparison: places are the nearest
// stations of plain degrees, speeds are the receiver's own, and braking is where a lap has lost some of its highest speed.

/** Holds a lap fix by fix: where on the stations of the comparison, and how fast. */
type PlainLap = { places: number[]; speeds: number[] };

/** Returns whether the fixes of both laps show a cause, in its direction and about as large. */
export function isConfirmed(
  comparison: Pick<LapComparison, 'lats' | 'lons' | 'meters'>,
  [first, second]: readonly [TracedLap, TracedLap],
  { cause, startMeters, endMeters }: { cause: Cause; startMeters: number; endMeters: number },
): boolean {
  const laps = [readPlainLap(comparison, first), readPlainLap(comparison, second)] as const;
  if (cause.kind === 'braking') {
    const points = laps.map((lap) => brakingPoint(lap, startMeters, endMeters));
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
const MARGIN_MS = 500;

function readPlainLap(
  { lats, lons, meters }: Pick<LapComparison, 'lats' | 'lons' | 'meters'>,
  { trace: { fixes }, lap, speeds: model }: TracedLap,
): PlainLap {
  const plain: PlainLap = { places: [], speeds: [] };
  const shrink = Math.cos((at(lats, 0) * Math.PI) / 180);
  const endMs = lap.startTimeMs + lap.lapTimeMs + MARGIN_MS;
  let station = 0;
  for (let fix = 0; fix < fixes.length; fix += 1) {
    const timeMs = at(fixes.timesMs, fix);
    if (timeMs < lap.startTimeMs - MARGIN_MS || timeMs > endMs) continue;
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
    plain.places.push(at(meters, nearest) + Math.max(-1, Math.min(1, share)) * step);
    plain.speeds.push(
      model === null ? speedOfPositions(fixes, fix) : model.scale * at(fixes.speedsMetersPerSecond, fix),
    );
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

function speedAt({ places, speeds }: PlainLap, place: number): number {
  const after = places.findIndex((each) => each >= place);
  if (after <= 0) return speeds.at(after) ?? Number.NaN;
  const [from = 0, to = 0] = [places[after - 1], places[after]];
  const share = to > from ? (place - from) / (to - from) : 0;
  return (speeds[after - 1] ?? Number.NaN) * (1 - share) + (speeds[after] ?? Number.NaN) * share;
}

function speedsBetween(lap: PlainLap, from: number, to: number): number[] {
  const within = lap.speeds.filter((_, index) => {
    const place = lap.places[index] ?? Number.NaN;
    return place > from && place < to;
  });
  return [speedAt(lap, from), ...within, speedAt(lap, to)];
}

/** Braking has begun where a lap has lost this share of what it loses in all. */
const LOST_SHARE = 0.15;
/** The highest speed lies this far before the corner at most. */
const BEFORE_METERS = 30;

function brakingPoint(lap: PlainLap, startMeters: number, endMeters: number): number {
  const from = startMeters - BEFORE_METERS;
  const speeds = speedsBetween(lap, from, endMeters);
  const slowest = Math.min(...speeds);
  const highest = Math.max(...speeds.slice(0, speeds.indexOf(slowest) + 1));
  const wanted = highest - LOST_SHARE * (highest - slowest);
  let hasBeenFast = false;
  for (const [index, place] of lap.places.entries()) {
    const speed = lap.speeds[index] ?? Number.NaN;
    if (place < from) continue;
    if (speed >= highest - 0.01) hasBeenFast = true;
    if (hasBeenFast && speed < wanted) {
      const [before, beforePlace] = [lap.speeds[index - 1] ?? speed, lap.places[index - 1] ?? place];
      const share = before > speed ? (before - wanted) / (before - speed) : 1;
      return beforePlace + share * (place - beforePlace);
    }
  }
  return Number.NaN;
}
