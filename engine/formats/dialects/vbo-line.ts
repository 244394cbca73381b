import { at, type FixColumns } from '../../fix-columns.ts';
import { planeAround, planeX, planeY, toPlane, toPosition, type Position } from '../../geo.ts';
import { toLineFrame, undirectedLine, type TimingLine } from '../../timing-line.ts';

/** Describes what a written latitude and longitude have to be multiplied with to become degrees. */
export type VboScale = { latScale: number; lonScale: number };

/**
 * Reads the line of a VBO file's `[laptiming]` section; null where there is none, where the fixes never pass it, or
 * where the finish is another line than the start. The section has one line of four numbers, and its writers do not
 * agree on their meaning:
 *
 * - Racelogic puts the longitude first, and so do RaceChrono and Harry's LapTimer. Their first point is the middle of
 *   the line; the second lies behind it, against the driving direction (35 m in most files, 75 m in one).
 * - RaceBox puts the latitude first, and its two points are the ends of the line.
 *
 * All readings are tried, and the one that the car passes most often is right.
 */
export function readVboLine(preamble: string, fixes: FixColumns, scale: VboScale): TimingLine | null {
  const start = parseNumbers(preamble, START);
  const finish = parseNumbers(preamble, FINISH);
  if (start === null) return null;
  if (finish !== null && finish.some((value, index) => Math.abs(value - (start[index] ?? 0)) > SAME_NUMBER))
    return null;
  const [first = Number.NaN, second = Number.NaN, third = Number.NaN, fourth = Number.NaN] = start;
  const position = (lat: number, lon: number) => ({ lat: lat * scale.latScale, lon: lon * scale.lonScale });
  const lonFirst: Ends = [position(second, first), position(fourth, third)];
  const latFirst: Ends = [position(first, second), position(third, fourth)];

  let best: TimingLine | null = null;
  let most = 0;
  for (const line of [
    perpendicularLine(lonFirst),
    undirectedLine(...latFirst),
    undirectedLine(...lonFirst),
    perpendicularLine(latFirst),
  ]) {
    const passes = line === null ? 0 : countNetCrossings(fixes, line);
    if (passes > most) [best, most] = [line, passes];
  }
  return best;
}

type Ends = [Position, Position];

const START = /^\s*start\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)/im;
const FINISH = /^\s*finish\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)/im;

/** Two lines whose numbers differ by less, a metre or two in minutes, are one. */
const SAME_NUMBER = 0.001;

function parseNumbers(preamble: string, pattern: RegExp): number[] | null {
  const numbers = pattern.exec(preamble)?.slice(1).map(Number) ?? [];
  return numbers.length === 4 && numbers.every(Number.isFinite) ? numbers : null;
}

/** The line is wide enough for any track, and too narrow for the pit lane beside it or the road back. */
const HALF_WIDTH_METERS = 20;

/** Returns the line through the first point, at right angles to the way there from the second. */
function perpendicularLine([center, behind]: Ends): TimingLine | null {
  const plane = planeAround(center);
  const { x, y } = toPlane(plane, behind);
  const length = Math.hypot(x, y);
  if (!(length > 0)) return null;
  const side = { x: (y / length) * HALF_WIDTH_METERS, y: (-x / length) * HALF_WIDTH_METERS };
  return undirectedLine(toPosition(plane, side), toPosition(plane, { x: -side.x, y: -side.y }));
}

/** Counts how much more often the fixes pass a line in one direction than in the other: a car that drives along it passes to and fro. */
function countNetCrossings({ length, lats, lons }: FixColumns, line: TimingLine): number {
  const frame = toLineFrame(line);
  if (frame === null) return 0;
  const { plane, forward, right, halfWidthMeters } = frame;
  let passes = 0;
  let [aheadBefore, asideBefore] = [Number.NaN, Number.NaN];
  for (let index = 0; index < length; index++) {
    const [x, y] = [planeX(plane, at(lons, index)), planeY(plane, at(lats, index))];
    const ahead = x * forward.x + y * forward.y;
    const aside = x * right.x + y * right.y;
    const isNear = Math.abs(ahead - aheadBefore) < LONGEST_STEP_METERS;
    if (isNear && ahead >= 0 !== aheadBefore >= 0) {
      const share = aheadBefore / (aheadBefore - ahead);
      const where = asideBefore + share * (aside - asideBefore);
      if (Math.abs(where) <= halfWidthMeters) passes += ahead >= 0 ? 1 : -1;
    }
    [aheadBefore, asideBefore] = [ahead, aside];
  }
  return Math.abs(passes);
}

/** A race car drives this far in a second; what is longer is a break of the recording. */
const LONGEST_STEP_METERS = 120;
