import { at } from '../fix-columns.ts';
import { bearingDegrees, toPosition, type Plane, type PlanePoint } from '../geo.ts';
import { median } from '../statistics.ts';
import type { TimingLine } from '../timing-line.ts';
import { cellsAround, buildPathGrid, pointDistance, type DrivenPath, type PathGrid } from './driven-path.ts';
import type { RepeatedLap } from './repeated-lap.ts';

export type LinePlace = {
  point: number;
  /** Laps that would be timed there: passes that follow each other by the length of a lap. */
  laps: number;
  score: number;
};

/** Passes of one piece of track lie within this distance of its middle. */
const REACH_METERS = 25;
/** A straight is measured over so many metres before and behind. */
const STRAIGHT_ARM_METERS = 60;
/** Farther along the lap than this, it is another piece of track. */
const OTHER_PIECE_METERS = 120;
const CLEAR_METERS = 60;
/** A line of this half width is wide enough for any track and the errors of receivers, and too narrow for most pit lanes. */
export const HALF_WIDTH_METERS = 14;
/** Places that lose less than this share of the laps may win by being safer. */
const LAPS_SHARE_MIN = 0.93;

/** Returns every place, the best first: a fast straight, far from other pieces of the track, passed once a lap. */
export function rankLinePlaces(path: DrivenPath, lap: RepeatedLap): LinePlace[] {
  const reachMeters = (lap.points * path.spacingMeters) / 3;
  const grid = buildPathGrid(path, CLEAR_METERS);
  const step = Math.max(1, Math.round(10 / path.spacingMeters));
  const found: Look[] = [];
  for (let point = lap.firstPoint; point < lap.firstPoint + lap.points; point += step) {
    found.push(lookAround(path, grid, lap, point));
  }
  const mostLaps = Math.max(...found.map(({ laps }) => laps));
  const topSpeed = Math.max(...found.map(({ metersPerSecond }) => metersPerSecond));
  return found
    .filter(({ laps }) => laps >= LAPS_SHARE_MIN * mostLaps - 1)
    .map((look) => ({
      point: look.point,
      laps: look.laps,
      score:
        scorePlace(look, topSpeed) -
        Math.min(1.2, 0.35 * (mostLaps - look.laps)) +
        paddockScore(path, look.point, reachMeters) / 2,
    }))
    .toSorted((a, b) => b.score - a.score);
}

/** Describes what there is at one place. */
type Look = {
  point: number;
  laps: number;
  /** Passes that are none of a lap: through the pits, the other way, by another piece of track. */
  otherPasses: number;
  passes: number;
  metersPerSecond: number;
  turnDegrees: number;
  clearMeters: number;
};

function scorePlace(look: Look, topSpeed: number): number {
  const straight = 1 - Math.min(1, look.turnDegrees / 25);
  const clear = Math.min(
    1,
    Math.max(0, look.clearMeters - HALF_WIDTH_METERS) / (CLEAR_METERS - HALF_WIDTH_METERS),
  );
  const once = 1 - Math.min(1, (2 * look.otherPasses) / Math.max(1, look.passes));
  return 2 * straight + 2 * (look.metersPerSecond / topSpeed) + clear + 2 * once;
}

/**
 * The paddock and the pits are next to the start/finish straight nearly everywhere, and recordings begin and end there: of two straights
 * that are equally safe, the nearer one is more likely to be the one that everybody times on.
 */
function paddockScore(path: DrivenPath, point: number, reachMeters: number): number {
  const meters = (pointDistance(path, point, 0) + pointDistance(path, point, path.length - 1)) / 2;
  return Math.max(0, 1 - meters / reachMeters);
}

function lookAround(path: DrivenPath, grid: PathGrid, lap: RepeatedLap, point: number): Look {
  const passes = passesAt(path, grid, point);
  const along = passes.filter(({ isAlong }) => isAlong).map((pass) => pass.point);
  const tolerance = 0.06 * lap.points;
  const laps = along.filter((pass, index) => {
    const before = along[index - 1];
    return before !== undefined && Math.abs(pass - before - lap.points) <= tolerance;
  }).length;
  const tooSoon = along.filter(
    (pass, index) => pass - (along[index - 1] ?? -Infinity) < lap.points - tolerance,
  );
  return {
    point,
    laps,
    otherPasses: passes.length - along.length + tooSoon.length,
    passes: passes.length,
    metersPerSecond: speedAround(path, along),
    turnDegrees: turnAround(path, point),
    clearMeters: clearance(path, grid, lap, point),
  };
}

type Pass = { point: number; isAlong: boolean };

/** Returns every time that the car came by, with the point nearest to the place; in driving order. */
function passesAt(path: DrivenPath, grid: PathGrid, place: number): Pass[] {
  const near = cellsAround(grid, at(path.xs, place), at(path.ys, place))
    .flat()
    .filter((point) => pointDistance(path, place, point) <= REACH_METERS)
    .toSorted((a, b) => a - b);
  const passes: Pass[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const point of near) {
    const isNew = point - last > (2 * REACH_METERS) / path.spacingMeters;
    last = point;
    if (isNew) passes.push({ point, isAlong: isAlong(path, place, point) });
    const latest = passes.at(-1);
    if (latest && pointDistance(path, place, point) < pointDistance(path, place, latest.point)) {
      latest.point = point;
      latest.isAlong = isAlong(path, place, point);
    }
  }
  // A recording that begins or ends just beside a place has not passed it.
  return passes.filter(({ point }) => !isEdge(path, point));
}

function isEdge({ partStarts, length }: DrivenPath, point: number): boolean {
  return point === length - 1 || partStarts.includes(point) || partStarts.includes(point + 1);
}

function isAlong(path: DrivenPath, place: number, point: number): boolean {
  return (
    at(path.headingXs, place) * at(path.headingXs, point) +
      at(path.headingYs, place) * at(path.headingYs, point) >
    0
  );
}

/** Returns the usual speed at these points. */
function speedAround({ timesMs, spacingMeters, length }: DrivenPath, points: readonly number[]): number {
  const speeds = points.flatMap((point) => {
    const [from, to] = [Math.max(0, point - 3), Math.min(length - 1, point + 3)];
    const seconds = (at(timesMs, to) - at(timesMs, from)) / 1000;
    return seconds > 0 ? [((to - from) * spacingMeters) / seconds] : [];
  });
  return median(speeds) ?? 0;
}

/** Returns the angle by which the path turns from well before a place to well behind it, there and back included. */
function turnAround(path: DrivenPath, place: number): number {
  const arm = Math.round(STRAIGHT_ARM_METERS / path.spacingMeters);
  const angleAt = (point: number): number => {
    const index = Math.min(Math.max(point, 0), path.length - 1);
    const [x, y] = [at(path.headingXs, index), at(path.headingYs, index)];
    const [hereX, hereY] = [at(path.headingXs, place), at(path.headingYs, place)];
    return Math.abs(Math.atan2(hereX * y - hereY * x, hereX * x + hereY * y)) * (180 / Math.PI);
  };
  return Math.max(
    angleAt(place - arm),
    angleAt(place - (arm >> 1)),
    angleAt(place + (arm >> 1)),
    angleAt(place + arm),
  );
}

/** Returns how far away the next piece of the same lap is. */
function clearance(path: DrivenPath, grid: PathGrid, lap: RepeatedLap, place: number): number {
  const apart = OTHER_PIECE_METERS / path.spacingMeters;
  let nearest = CLEAR_METERS;
  for (const cell of cellsAround(grid, at(path.xs, place), at(path.ys, place))) {
    for (const point of cell) {
      if (point < lap.firstPoint || point >= lap.firstPoint + lap.points) continue;
      const along = Math.abs(point - place);
      if (Math.min(along, lap.points - along) < apart) continue;
      nearest = Math.min(nearest, pointDistance(path, place, point));
    }
  }
  return nearest;
}

/** Returns a line square to the drive at a point of the path, around the middle of all passes. */
export function lineAcrossPath(path: DrivenPath, point: number): TimingLine {
  const forward = { x: at(path.headingXs, point), y: at(path.headingYs, point) };
  const grid = buildPathGrid(path, CLEAR_METERS);
  const asides = passesAt(path, grid, point)
    .filter((pass) => pass.isAlong)
    .map((pass) => {
      const [x, y] = [
        at(path.xs, pass.point) - at(path.xs, point),
        at(path.ys, pass.point) - at(path.ys, point),
      ];
      return x * forward.y - y * forward.x;
    });
  const aside = median(asides) ?? 0;
  const middle = { x: at(path.xs, point) + aside * forward.y, y: at(path.ys, point) - aside * forward.x };
  return squareLine(path.plane, middle, forward, HALF_WIDTH_METERS);
}

/** A line through `middle`, square to the driving direction `forward`, with its left end first. */
export function squareLine(
  plane: Plane,
  middle: PlanePoint,
  forward: PlanePoint,
  halfWidthMeters: number,
): TimingLine {
  const end = (side: number) =>
    toPosition(plane, {
      x: middle.x + side * halfWidthMeters * forward.y,
      y: middle.y - side * halfWidthMeters * forward.x,
    });
  const ahead = toPosition(plane, { x: middle.x + forward.x, y: middle.y + forward.y });
  return { a: end(-1), b: end(1), bearingDeg: bearingDegrees(toPosition(plane, middle), ahead) };
}
