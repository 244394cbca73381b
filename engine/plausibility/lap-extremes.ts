import { deriveAccelerations } from '../comparison/accelerations.ts';
import type { TracedLap } from '../comparison/lap-trace.ts';
import { at, pickFixes, type FixColumns } from '../fix-columns.ts';
import { METERS_PER_DEGREE, wrapDegrees } from '../geo.ts';

/** Holds what a car did for longer than an error of a single fix. NaN where the lap does not show it. */
export type LapExtremes = {
  /** Speed held for a second. */
  topSpeedMetersPerSecond: number;
  /** Acceleration held for a second, to either side. */
  lateralMetersPerSecondSquared: number;
  /** Deceleration held for a second. */
  brakingMetersPerSecondSquared: number;
  /**
   * Gained in speed over three seconds, for each kilogram, at two places of the lap at least: what happens once may be an error of
   * the receiver. NaN where the receiver gives no speeds. Air, tyres and slopes take or give the rest of what the engine does.
   */
  gainedWattsPerKilogram: number;
};

/** A value counts when it is held for this long. */
export const HELD_MS = 1_000;
/** A gain in speed is measured over this long. */
export const GAINED_MS = 3_000;
/** Receivers that give fewer fixes show no second of anything. */
const INTERVAL_MAX_MS = 510;
/** The engine loses nothing in gears and clutch above this; below it, the receiver's errors weigh too much. */
const GAINING_FROM_METERS_PER_SECOND = 12;

/** Measures a lap from its own fixes, without those before its start and after its end. */
export function measureExtremes({ trace, lap }: TracedLap): LapExtremes {
  const fixes = withSpeeds(fixesOfLap(trace.fixes, lap));
  const { timesMs, speedsMetersPerSecond } = fixes;
  const isSparse = !((trace.intervalMs ?? Number.NaN) <= INTERVAL_MAX_MS);
  const { longitudinal, lateral } = deriveAccelerations(fixes);
  const held = (values: Float64Array) =>
    isSparse ? Number.NaN : greatestHeld(timesMs, values, HELD_MS).value;
  return {
    topSpeedMetersPerSecond: greatestHeld(timesMs, speedsMetersPerSecond, isSparse ? 0 : HELD_MS).value,
    lateralMetersPerSecondSquared: Math.max(held(lateral), held(lateral.map((value) => -value))),
    brakingMetersPerSecondSquared: held(longitudinal.map((value) => -value)),
    gainedWattsPerKilogram: isSparse ? Number.NaN : repeatedGain(fixesOfLap(trace.fixes, lap)).value,
  };
}

/** Returns the fixes of a lap, without those before its start and after its end. */
export function fixesOfLap(fixes: FixColumns, { startTimeMs, lapTimeMs }: TracedLap['lap']): FixColumns {
  const isWithin = (row: number) =>
    at(fixes.timesMs, row) >= startTimeMs && at(fixes.timesMs, row) <= startTimeMs + lapTimeMs;
  const rows = Array.from({ length: fixes.length }, (_, row) => row).filter(isWithin);
  return pickFixes(fixes, Int32Array.from(rows));
}

/** Returns fixes with speeds from the positions where the receiver gives none. */
export function withSpeeds(fixes: FixColumns): FixColumns {
  const { timesMs, lats, lons, speedsMetersPerSecond, length } = fixes;
  const lonMeters = METERS_PER_DEGREE * Math.cos((at(lats, 0) * Math.PI) / 180);
  const between = (from: number, to: number) => {
    const meters = Math.hypot(
      METERS_PER_DEGREE * wrapDegrees(at(lats, to) - at(lats, from)),
      lonMeters * wrapDegrees(at(lons, to) - at(lons, from)),
    );
    return (1_000 * meters) / (at(timesMs, to) - at(timesMs, from));
  };
  const speeds = speedsMetersPerSecond.map((speed, row) =>
    Number.isFinite(speed) ? speed : between(Math.max(0, row - 1), Math.min(length - 1, row + 1)),
  );
  return { ...fixes, speedsMetersPerSecond: speeds };
}

/** A value that a lap held, with the first and the last row of the stretch; NaN and an empty stretch where there is none. */
export type Held = { value: number; first: number; last: number };

const NOT_HELD: Held = { value: Number.NaN, first: 0, last: -1 };

/** Returns the greatest value that all values within some time reach. */
export function greatestHeld(timesMs: Float64Array, values: Float64Array, heldMs: number): Held {
  let greatest = NOT_HELD;
  for (let first = 0; first < values.length; first += 1) {
    let least = at(values, first);
    let last = first;
    while (last + 1 < values.length && at(timesMs, last) - at(timesMs, first) < heldMs) {
      last += 1;
      least = Math.min(least, at(values, last));
    }
    if (at(timesMs, last) - at(timesMs, first) < heldMs) break;
    if (!(least <= greatest.value)) greatest = { value: least, first, last };
  }
  return greatest;
}

/** Lists the power for each kilogram that every three seconds of fast driving gained in speed. */
export function listGains({ timesMs, speedsMetersPerSecond: speeds }: FixColumns): Held[] {
  const gains: Held[] = [];
  let last = 0;
  for (let first = 0; first < speeds.length; first += 1) {
    while (last < speeds.length && at(timesMs, last) - at(timesMs, first) < GAINED_MS) last += 1;
    if (last >= speeds.length) break;
    const seconds = (at(timesMs, last) - at(timesMs, first)) / 1_000;
    const value = (at(speeds, last) ** 2 - at(speeds, first) ** 2) / (2 * seconds);
    if (at(speeds, first) >= GAINING_FROM_METERS_PER_SECOND && Number.isFinite(value))
      gains.push({ first, last, value });
  }
  return gains;
}

/** Returns the greatest gain of which there is another one, as great or greater, elsewhere in the lap. */
export function repeatedGain(fixes: FixColumns): Held {
  const gains = listGains(fixes);
  const greatest = greatestOf(gains);
  const second = greatestOf(
    gains.filter(({ first, last }) => greatest && (last < greatest.first || first > greatest.last)),
  );
  return second ?? NOT_HELD;
}

function greatestOf(gains: readonly Held[]): Held | undefined {
  return gains.reduce<Held | undefined>(
    (best, gain) => (best && best.value >= gain.value ? best : gain),
    undefined,
  );
}
