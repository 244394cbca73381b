import { at } from '../fix-columns.ts';
import { STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED } from './accelerations.ts';
import type { BrakingZone } from './braking.ts';
import type { Corner } from './corners.ts';
import type { LapMotion } from './lap-motion.ts';

/**
 * Describes a straight or a corner of the laps that are compared. Stretches follow each other without gap or overlap
 * from the start/finish line to the end of the lap, and are cut at the same stations for all laps.
 */
export type Stretch = {
  kind: 'straight' | 'corner';
  /** The number of the corner. A straight has that of the corner which it leads to; the one to the finish line has one more than the last corner. */
  number: number;
  startStation: number;
  endStation: number;
};

/** A shorter piece between two corners is no straight, but belongs to the corner before it. */
const STRAIGHT_MIN_METERS = 25;
/** The throttle is open where a car gains speed with this share of the most that it reaches before it brakes again. */
const OPEN_THROTTLE_SHARE = 0.7;
/** A car that gains less has not opened the throttle. */
const GAIN_MIN_METERS_PER_SECOND_SQUARED = 0.05 * STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED;
/** A corner reaches this far beyond the end of the bend at most, until the throttle is open. */
const EXIT_MAX_METERS = 80;

/**
 * Cuts laps into straights and corners. A corner begins where the first lap brakes for it, or where the line begins to
 * turn; it ends where the line is straight and every lap has the throttle open. So what a driver loses by braking, in
 * the bend and on the throttle belongs to the corner, and to the straight what the car loses at full throttle.
 */
export function cutIntoStretches(
  corners: readonly Corner[],
  zones: readonly (BrakingZone | null)[],
  meters: Float64Array,
  motions: readonly LapMotion[],
): Stretch[] {
  const last = meters.length - 1;
  const bends = corners.map(({ startMeters, apexMeters, endMeters }, index): Bend => {
    const zone = zones[index];
    const start = stationBefore(meters, startMeters);
    const turned = Math.max(stationBefore(meters, apexMeters), zone?.endStation ?? 0) + 1;
    return {
      start: Math.min(start, zone?.startStation ?? start),
      turned: Math.min(last, turned),
      end: Math.min(last, Math.max(turned, stationBefore(meters, endMeters) + 1)),
    };
  });
  const straightMin = Math.max(1, Math.ceil((STRAIGHT_MIN_METERS * last) / at(meters, last)));
  const stretches: Stretch[] = [];
  let from = 0;
  const add = (kind: Stretch['kind'], number: number, to: number): void => {
    if (to <= from) return;
    stretches.push({ kind, number, startStation: from, endStation: to });
    from = to;
  };
  if ((bends[0]?.start ?? last) >= straightMin) add('straight', 1, bends[0]?.start ?? last);
  bends.forEach((bend, index) => {
    const number = index + 1;
    const next = bends[index + 1]?.start ?? last;
    const exit = exitStation(bend, next, meters, motions);
    if (next - exit >= straightMin) {
      add('corner', number, exit);
      add('straight', number + 1, next);
    } else {
      // The next corner begins before this one has ended: it takes over where this one has turned most, at the earliest.
      add('corner', number, Math.max(next, Math.min(bend.turned, bend.end)));
    }
  });
  return stretches;
}

/** Holds stations of a corner: where it begins, where it has been turned, and where the line is straight again. */
type Bend = { start: number; turned: number; end: number };

/** Returns where all laps have the throttle open after a bend, not before its end. */
function exitStation(
  { turned, end }: Bend,
  next: number,
  meters: Float64Array,
  motions: readonly LapMotion[],
): number {
  const middle = Math.floor((end + next) / 2);
  const farthest = Math.max(end, Math.min(middle, stationBefore(meters, at(meters, end) + EXIT_MAX_METERS)));
  const opened = motions.map(({ accelerations }) => {
    const most = accelerations.subarray(turned, next).reduce((a, b) => Math.max(a, b), 0);
    if (most < GAIN_MIN_METERS_PER_SECOND_SQUARED) return end;
    let station = turned;
    while (station < farthest && at(accelerations, station) < OPEN_THROTTLE_SHARE * most) station += 1;
    return station;
  });
  return Math.max(end, ...opened);
}

/** Returns the last station at or before so many metres. Stations are at equal distances. */
export function stationBefore(meters: Float64Array, place: number): number {
  const last = meters.length - 1;
  return Math.max(0, Math.min(last, Math.floor((place / at(meters, last)) * last)));
}
