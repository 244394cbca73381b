import { at } from '../fix-columns.ts';
import { bearingDegrees, toPosition } from '../geo.ts';
import type { Plane, PlanePoint } from '../geo.ts';
import { median } from '../statistics.ts';
import type { TimingLine } from '../timing-line.ts';
import { cellsAround, gridOfWay, pointDistance } from './driven-way.ts';
import type { DrivenWay, WayGrid } from './driven-way.ts';
import type { RepeatedLap } from './repeated-lap.ts';

/** A place on a lap where a line may lie, and what speaks for it. */
export type LinePlace = {
  /** Point of the way. */
  point: number;
  /** Laps that would be timed there: passes that follow each other by the length of a lap. */
  laps: number;
  score: number;
};

/** Where passes of one piece of track lie, seen from its middle. */
const REACH_METERS = 25;
/** A straight is judged over so many metres before and behind. */
const STRAIGHT_ARM_METERS = 60;
/** Farther along the lap than this, it is another piece of track. */
const OTHER_PIECE_METERS = 120;
const CLEAR_METERS = 60;
/** Half the width of a line: wide enough for any track and the errors of receivers, too narrow for most pit lanes. */
export const HALF_WIDTH_METERS = 14;
/** Places that lose less than this share of the laps may win by being safer. */
const LAPS_SHARE_MIN = 0.93;

/** Every place on the lap, the best first: a straight where the car is fast, far from other pieces of the track, passed once a lap. */
export function rankLinePlaces(way: DrivenWay, lap: RepeatedLap): LinePlace[] {
  const reachMeters = (lap.points * way.spacingMeters) / 3;
  const grid = gridOfWay(way, CLEAR_METERS);
  const step = Math.max(1, Math.round(10 / way.spacingMeters));
  const found: Look[] = [];
  for (let point = lap.firstPoint; point < lap.firstPoint + lap.points; point += step) {
    found.push(lookAround(way, grid, lap, point));
  }
  const mostLaps = Math.max(...found.map(({ laps }) => laps));
  const topSpeed = Math.max(...found.map(({ metersPerSecond }) => metersPerSecond));
  return found
    .filter(({ laps }) => laps >= LAPS_SHARE_MIN * mostLaps - 1)
    .map((look) => ({
      point: look.point,
      laps: look.laps,
      score:
        scoreOf(look, topSpeed) -
        Math.min(1.2, 0.35 * (mostLaps - look.laps)) +
        paddockScore(way, look.point, reachMeters) / 2,
    }))
    .toSorted((a, b) => b.score - a.score);
}

/** What there is at one place. */
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

function scoreOf(look: Look, topSpeed: number): number {
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
function paddockScore(way: DrivenWay, point: number, reachMeters: number): number {
  const meters = (pointDistance(way, point, 0) + pointDistance(way, point, way.length - 1)) / 2;
  return Math.max(0, 1 - meters / reachMeters);
}

function lookAround(way: DrivenWay, grid: WayGrid, lap: RepeatedLap, point: number): Look {
  const passes = passesAt(way, grid, point);
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
    metersPerSecond: speedAround(way, along),
    turnDegrees: turnAround(way, point),
    clearMeters: clearance(way, grid, lap, point),
  };
}

type Pass = { point: number; isAlong: boolean };

/** Every time that the car came by, with the point nearest to the place; in driving order. */
function passesAt(way: DrivenWay, grid: WayGrid, place: number): Pass[] {
  const near = cellsAround(grid, at(way.xs, place), at(way.ys, place))
    .flat()
    .filter((point) => pointDistance(way, place, point) <= REACH_METERS)
    .toSorted((a, b) => a - b);
  const passes: Pass[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const point of near) {
    const isNew = point - last > (2 * REACH_METERS) / way.spacingMeters;
    last = point;
    if (isNew) passes.push({ point, isAlong: isAlong(way, place, point) });
    const latest = passes.at(-1);
    if (latest && pointDistance(way, place, point) < pointDistance(way, place, latest.point)) {
      latest.point = point;
      latest.isAlong = isAlong(way, place, point);
    }
  }
  // A recording that begins or ends just beside a place has not passed it.
  return passes.filter(({ point }) => !isEdge(way, point));
}

function isEdge({ partStarts, length }: DrivenWay, point: number): boolean {
  return point === length - 1 || partStarts.includes(point) || partStarts.includes(point + 1);
}

function isAlong(way: DrivenWay, place: number, point: number): boolean {
  return (
    at(way.headingXs, place) * at(way.headingXs, point) +
      at(way.headingYs, place) * at(way.headingYs, point) >
    0
  );
}

/** The usual speed at these points. */
function speedAround({ timesMs, spacingMeters, length }: DrivenWay, points: readonly number[]): number {
  const speeds = points.flatMap((point) => {
    const [from, to] = [Math.max(0, point - 3), Math.min(length - 1, point + 3)];
    const seconds = (at(timesMs, to) - at(timesMs, from)) / 1000;
    return seconds > 0 ? [((to - from) * spacingMeters) / seconds] : [];
  });
  return median(speeds) ?? 0;
}

/** By how much the way turns from well before a place to well behind it, there and back included. */
function turnAround(way: DrivenWay, place: number): number {
  const arm = Math.round(STRAIGHT_ARM_METERS / way.spacingMeters);
  const angleAt = (point: number): number => {
    const index = Math.min(Math.max(point, 0), way.length - 1);
    const [x, y] = [at(way.headingXs, index), at(way.headingYs, index)];
    const [hereX, hereY] = [at(way.headingXs, place), at(way.headingYs, place)];
    return Math.abs(Math.atan2(hereX * y - hereY * x, hereX * x + hereY * y)) * (180 / Math.PI);
  };
  return Math.max(
    angleAt(place - arm),
    angleAt(place - (arm >> 1)),
    angleAt(place + (arm >> 1)),
    angleAt(place + arm),
  );
}

/** How far away the next piece of the same lap is. */
function clearance(way: DrivenWay, grid: WayGrid, lap: RepeatedLap, place: number): number {
  const apart = OTHER_PIECE_METERS / way.spacingMeters;
  let nearest = CLEAR_METERS;
  for (const cell of cellsAround(grid, at(way.xs, place), at(way.ys, place))) {
    for (const point of cell) {
      if (point < lap.firstPoint || point >= lap.firstPoint + lap.points) continue;
      const along = Math.abs(point - place);
      if (Math.min(along, lap.points - along) < apart) continue;
      nearest = Math.min(nearest, pointDistance(way, place, point));
    }
  }
  return nearest;
}

/** A line square to the drive at a point of the way, around the middle of all passes. */
export function lineAcrossWay(way: DrivenWay, point: number): TimingLine {
  const forward = { x: at(way.headingXs, point), y: at(way.headingYs, point) };
  const grid = gridOfWay(way, CLEAR_METERS);
  const asides = passesAt(way, grid, point)
    .filter((pass) => pass.isAlong)
    .map((pass) => {
      const [x, y] = [at(way.xs, pass.point) - at(way.xs, point), at(way.ys, pass.point) - at(way.ys, point)];
      return x * forward.y - y * forward.x;
    });
  const aside = median(asides) ?? 0;
  const middle = { x: at(way.xs, point) + aside * forward.y, y: at(way.ys, point) - aside * forward.x };
  return squareLine(way.plane, middle, forward, HALF_WIDTH_METERS);
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
