import { at } from './fix-columns.ts';
import { planeAround, planeX, planeY, type Plane, type PlanePoint } from './geo.ts';
import { toLineFrame, type LineFrame } from './timing-line.ts';
import type { Track } from './track.ts';

/** Describes a track's outline, cut into bins of equal length, with a grid that finds the bin next to a point at once. */
export type CenterLine = {
  plane: Plane;
  /** The middle of every bin, in driving order. */
  xs: Float64Array;
  ys: Float64Array;
  /** Distance from every bin within which the road may lie because few points of the outline describe a bend. */
  slackMeters: Float64Array;
  lengthMeters: number;
  grid: BinGrid;
};

/** Describes bins by grid cell: those of the cells that share slot `n` are `bins` from `slotStarts[n]` up to `slotStarts[n + 1]`. */
type BinGrid = { slotStarts: Int32Array; bins: Int32Array };

/** Says that no bin was found. */
export const NO_BIN = -1;

/** A centre line is cut into pieces of this length: short beside the width of a corner, long beside the error of a position. */
export const BIN_METERS = 10;
/** Farther away than this, nothing is looked for. */
const SEARCH_METERS = 60;

/** Describes the geometry of a track, worked out once: its outline and its start/finish line, each null where unknown. */
export type TrackShape = { centerLine: CenterLine | null; frame: LineFrame | null };

export function buildTrackShape(track: Track): TrackShape {
  const { startFinishLine } = track;
  return { centerLine: buildCenterLine(track), frame: startFinishLine && toLineFrame(startFinishLine) };
}

/** Builds the centre line of a track; null for a track without an outline. */
export function buildCenterLine(
  track: Pick<Track, 'outline' | 'centerLat' | 'centerLon' | 'finishLine'>,
): CenterLine | null {
  if (track.outline === null || track.outline.length < 3) return null;
  const plane = planeAround({ lat: track.centerLat, lon: track.centerLon });
  const corners = track.outline.map(([lat, lon]) => ({ x: planeX(plane, lon), y: planeY(plane, lat) }));
  // The last corner of an open path has no next one.
  const starts = track.finishLine ? corners.slice(0, -1) : corners;
  const sides = starts.map((from, index): Side => {
    const to = corners[(index + 1) % corners.length] ?? from;
    return { from, to, meters: Math.hypot(to.x - from.x, to.y - from.y) };
  });
  const lengthMeters = sides.reduce((sum, side) => sum + side.meters, 0);
  const { xs, ys, slackMeters } = binsAlong(sides, lengthMeters);
  return { plane, xs, ys, slackMeters, lengthMeters, grid: buildGrid(xs, ys) };
}

/**
 * Returns the bin nearest to a point of the line's plane; `NO_BIN` where none lies within reach. `guess` is where a car
 * should be that was seen just before, or `NO_BIN`: as long as it is there, a section close by that leads elsewhere
 * does not distract.
 */
export function nearestBin(line: CenterLine, x: number, y: number, guess: number): number {
  const near = guess === NO_BIN ? NO_BIN : nearestAround(line, x, y, guess);
  const isNear = near !== NO_BIN && distanceToBin(line, near, x, y) <= ON_TRACK_METERS;
  return isNear ? near : nearestAnywhere(line, x, y);
}

/** Returns how far from a bin a car may be and still be on the track. */
export function corridorMeters({ slackMeters }: CenterLine, bin: number): number {
  return CORRIDOR_METERS + at(slackMeters, bin);
}

/** A track is some 15 m wide; outlines are off by some metres and receivers have their errors. */
export const CORRIDOR_METERS = 35;

/** Returns the distance from a point to the middle of a bin. */
export function distanceToBin({ xs, ys }: CenterLine, bin: number, x: number, y: number): number {
  return Math.sqrt((at(xs, bin) - x) ** 2 + (at(ys, bin) - y) ** 2);
}

/** A track is at most twice this wide, with some tolerance. */
const ON_TRACK_METERS = 18;
const GUESS_BINS_BEFORE = 2;
/** The window reaches four bins ahead. */
const GUESS_BINS = 7;

function nearestAround({ xs, ys }: CenterLine, x: number, y: number, guess: number): number {
  const count = xs.length;
  let nearest = guess;
  let least = Number.POSITIVE_INFINITY;
  let bin = Math.max(0, guess + count - GUESS_BINS_BEFORE) % count;
  for (let looked = 0; looked < GUESS_BINS; looked += 1, bin = bin + 1 === count ? 0 : bin + 1) {
    const squared = (at(xs, bin) - x) ** 2 + (at(ys, bin) - y) ** 2;
    if (squared >= least) continue;
    least = squared;
    nearest = bin;
  }
  return nearest;
}

function nearestAnywhere({ xs, ys, grid }: CenterLine, x: number, y: number): number {
  const [column, row] = [cellIndex(x), cellIndex(y)];
  const slots = grid.slotStarts.length - 1;
  let nearest = NO_BIN;
  let least = SEARCH_METERS ** 2;
  for (let cellX = column - 1; cellX <= column + 1; cellX += 1) {
    for (let cellY = row - 1; cellY <= row + 1; cellY += 1) {
      const slot = slotIndex(cellX, cellY, slots);
      const end = grid.slotStarts[slot + 1] ?? 0;
      // Bins of other cells in the same slot do no harm: they are as near as they are, or too far away.
      for (let place = grid.slotStarts[slot] ?? 0; place < end; place += 1) {
        const bin = grid.bins[place] ?? 0;
        const squared = (at(xs, bin) - x) ** 2 + (at(ys, bin) - y) ** 2;
        if (squared >= least) continue;
        least = squared;
        nearest = bin;
      }
    }
  }
  return nearest;
}

function cellIndex(meters: number): number {
  return Math.floor(meters / SEARCH_METERS);
}

/** Returns where a cell's bins are among so many slots, a power of two. Cells of a row are neighbours, rows far apart. */
function slotIndex(column: number, row: number, slots: number): number {
  return (column + Math.imul(row, ROW_APART)) & (slots - 1);
}

/** The factor is odd, so that all rows get to all slots. */
const ROW_APART = 0x9e37_79b1;

/** Describes one side of the polygon that an outline is. */
type Side = { from: PlanePoint; to: PlanePoint; meters: number };

/** Returns the middle of every bin, and the slack there: all of it in the middle of a side, none at its ends. */
function binsAlong(
  sides: readonly Side[],
  lengthMeters: number,
): Pick<CenterLine, 'xs' | 'ys' | 'slackMeters'> {
  const count = Math.max(1, Math.round(lengthMeters / BIN_METERS));
  const [xs, ys, slackMeters] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  let [bin, passedMeters] = [0, 0];
  for (const [index, { from, to, meters }] of sides.entries()) {
    const bulge = bulgeMeters(sides, index);
    while (bin < count) {
      const ahead = ((bin + 0.5) * lengthMeters) / count - passedMeters;
      if (ahead > meters) break;
      const u = ahead / meters;
      xs[bin] = from.x + u * (to.x - from.x);
      ys[bin] = from.y + u * (to.y - from.y);
      slackMeters[bin] = 4 * u * (1 - u) * bulge;
      bin += 1;
    }
    passedMeters += meters;
  }
  return { xs: xs.subarray(0, bin), ys: ys.subarray(0, bin), slackMeters: slackMeters.subarray(0, bin) };
}

/**
 * Returns how far the road leads away from a side that cuts a bend: the outline turns the same way at both of its ends,
 * as it does where points on an arc are joined by straight lines. 0 for straights, which have a turn at one end at
 * most, or are long beside what they turn by.
 */
function bulgeMeters(sides: readonly Side[], index: number): number {
  const side = sides[index];
  const before = sides[(index + sides.length - 1) % sides.length];
  const after = sides[(index + 1) % sides.length];
  if (side === undefined || before === undefined || after === undefined) return 0;
  const [turnBefore, turnAfter] = [turnRadians(before, side), turnRadians(side, after)];
  const leastTurn = Math.min(Math.abs(turnBefore), Math.abs(turnAfter));
  if (turnBefore * turnAfter <= 0 || side.meters > BEND_RADIUS_MAX_METERS * leastTurn) return 0;
  // The height of an arc over its chord is an eighth of the chord times the angle that the arc turns by.
  return Math.min(BULGE_MAX_METERS, (side.meters * Math.abs(turnBefore + turnAfter)) / 2 / 8);
}

/** Returns the angle by which the path turns from one side to the next, positive to the left. */
function turnRadians(one: Side, next: Side): number {
  const [oneX, oneY] = [one.to.x - one.from.x, one.to.y - one.from.y];
  const [nextX, nextY] = [next.to.x - next.from.x, next.to.y - next.from.y];
  return Math.atan2(oneX * nextY - oneY * nextX, oneX * nextX + oneY * nextY);
}

const BEND_RADIUS_MAX_METERS = 1000;
/** Together with the width of the corridor, this is as far as bins are looked for. */
const BULGE_MAX_METERS = 25;

/** Sorts bins by slot, counting first how many each has. */
function buildGrid(xs: Float64Array, ys: Float64Array): BinGrid {
  const slots = 2 ** Math.ceil(Math.log2(Math.max(2, xs.length)));
  const slotOfBin = Int32Array.from(xs, (x, bin) => slotIndex(cellIndex(x), cellIndex(at(ys, bin)), slots));
  const slotStarts = new Int32Array(slots + 1);
  for (const slot of slotOfBin) slotStarts[slot + 1] = (slotStarts[slot + 1] ?? 0) + 1;
  for (let slot = 1; slot <= slots; slot += 1) {
    slotStarts[slot] = (slotStarts[slot] ?? 0) + (slotStarts[slot - 1] ?? 0);
  }
  const next = slotStarts.slice();
  const bins = new Int32Array(xs.length);
  slotOfBin.forEach((slot, bin) => {
    const place = next[slot] ?? 0;
    bins[place] = bin;
    next[slot] = place + 1;
  });
  return { slotStarts, bins };
}
