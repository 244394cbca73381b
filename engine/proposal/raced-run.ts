import { at } from '../fix-columns.ts';
import { quantile } from '../statistics.ts';
import type { TimingLine } from '../timing-line.ts';
import type { DrivenPath } from './driven-path.ts';
import { HALF_WIDTH_METERS, squareLine } from './place-line.ts';

/** A car that needs longer for a few metres has stopped. */
const STOP_SECONDS = 4;
/** Autocross runs are hardly shorter. */
const RUN_MIN_METERS = 250;
/** A shorter share of a drive is a piece of something else, such as half a lap of a circuit. */
const RUN_SHARE_MIN = 0.5;
/** On the road, cars corner and brake with a third of this; anything raced reaches it in its quickest corners. */
const CORNERING_MIN = 6;
const CORNERING_SHARE = 0.93;
/** Curvature is measured over so many metres to both sides. */
const ARM_METERS = 20;
/** A line lies where the car has got going, and where it is not yet coasting to a halt. */
const ROLLING_METERS_PER_SECOND = 6;
const FINISH_SPEED_SHARE = 0.7;

export type RacedRun = { startFinishLine: TimingLine; finishLine: TimingLine; lengthMeters: number };

/** The longest stretch of a drive between two stops; null where it was not raced. */
export function findRacedRun(path: DrivenPath): RacedRun | null {
  const [longest] = stretchesBetweenStops(path).toSorted((a, b) => b.last - b.first - (a.last - a.first));
  if (longest === undefined) return null;
  const { first, last } = trimmed(path, longest);
  const isLong = (last - first) * path.spacingMeters >= RUN_MIN_METERS;
  const isMostOfDrive = last - first >= RUN_SHARE_MIN * path.length;
  if (!isLong || !isMostOfDrive || !isRaced(path, first, last)) return null;
  const lengthMeters = (last - first) * path.spacingMeters;
  return { startFinishLine: lineAt(path, first), finishLine: lineAt(path, last), lengthMeters };
}

type Stretch = { first: number; last: number };

function stretchesBetweenStops({ timesMs, partStarts, length }: DrivenPath): Stretch[] {
  const stretches: Stretch[] = [];
  let first = 0;
  for (let point = 1; point <= length; point += 1) {
    const isStop =
      point === length ||
      partStarts.includes(point) ||
      at(timesMs, point) - at(timesMs, point - 1) > 1000 * STOP_SECONDS;
    if (!isStop) continue;
    stretches.push({ first, last: point - 1 });
    first = point;
  }
  return stretches;
}

function trimmed(path: DrivenPath, { first, last }: Stretch): Stretch {
  const speeds = Array.from({ length: last - first + 1 }, (_, index) => speedAt(path, first + index));
  const fast = FINISH_SPEED_SHARE * (quantile(speeds, 0.5) ?? 0);
  const start = speeds.findIndex((speed) => speed >= ROLLING_METERS_PER_SECOND);
  const end = speeds.findLastIndex((speed) => speed >= fast);
  return { first: first + Math.max(0, start), last: first + Math.max(0, end) };
}

function isRaced(path: DrivenPath, first: number, last: number): boolean {
  const accelerations = Array.from({ length: last - first + 1 }, (_, index) =>
    corneringAt(path, first + index),
  );
  return (quantile(accelerations, CORNERING_SHARE) ?? 0) >= CORNERING_MIN;
}

/** Returns the sideways acceleration, in m/s². */
function corneringAt(path: DrivenPath, point: number): number {
  const arm = Math.round(ARM_METERS / path.spacingMeters);
  const [from, to] = [Math.max(0, point - arm), Math.min(path.length - 1, point + arm)];
  const [x, y] = [at(path.headingXs, from), at(path.headingYs, from)];
  const [nextX, nextY] = [at(path.headingXs, to), at(path.headingYs, to)];
  const turn = Math.abs(Math.atan2(x * nextY - y * nextX, x * nextX + y * nextY));
  return (speedAt(path, point) ** 2 * turn) / Math.max(path.spacingMeters, (to - from) * path.spacingMeters);
}

function speedAt({ timesMs, spacingMeters, length }: DrivenPath, point: number): number {
  const [from, to] = [Math.max(0, point - 2), Math.min(length - 1, point + 2)];
  const seconds = (at(timesMs, to) - at(timesMs, from)) / 1000;
  return seconds > 0 ? ((to - from) * spacingMeters) / seconds : 0;
}

function lineAt(path: DrivenPath, point: number): TimingLine {
  const forward = { x: at(path.headingXs, point), y: at(path.headingYs, point) };
  return squareLine(path.plane, { x: at(path.xs, point), y: at(path.ys, point) }, forward, HALF_WIDTH_METERS);
}
