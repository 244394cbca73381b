import { at } from './fix-columns.ts';
import { planeAround, planeX, planeY } from './geo.ts';
import type { Plane, PlanePoint } from './geo.ts';
import type { Track } from './track.ts';

/** A track's outline, cut into bins of equal length, with a grid that finds the bin next to a point at once. */
export type CenterLine = {
  plane: Plane;
  /** The middle of every bin, in driving order. */
  xs: Float64Array;
  ys: Float64Array;
  lengthMeters: number;
  /** Bins by grid cell. */
  cells: Map<number, number[]>;
};

/** A bin of a centre line and how far away its middle is. */
export type NearestBin = { bin: number; meters: number };

/** A centre line is cut into pieces of this length: short beside the width of a corner, long beside the error of a position. */
export const BIN_METERS = 10;
/** Farther away than this, nothing is looked for. */
export const SEARCH_METERS = 60;
const CELLS_PER_ROW = 1 << 15;

/** The centre line of a track; null for a track without an outline. */
export function centerLineOf(track: Track): CenterLine | null {
  if (track.outline === null || track.outline.length < 3) return null;
  const plane = planeAround({ lat: track.centerLat, lon: track.centerLon });
  const corners = track.outline.map(([lat, lon]) => ({ x: planeX(plane, lon), y: planeY(plane, lat) }));
  // The last corner of an open way has no next one.
  const starts = track.finishLine ? corners.slice(0, -1) : corners;
  const sides = starts.map((from, index): Side => {
    const to = corners[(index + 1) % corners.length] ?? from;
    return { from, to, meters: Math.hypot(to.x - from.x, to.y - from.y) };
  });
  const lengthMeters = sides.reduce((sum, side) => sum + side.meters, 0);
  const bins = binsAlong(sides, lengthMeters);
  return {
    plane,
    xs: Float64Array.from(bins, (bin) => bin.x),
    ys: Float64Array.from(bins, (bin) => bin.y),
    lengthMeters,
    cells: gridOf(bins),
  };
}

/**
 * The bin nearest to a point of the line's plane; null where none lies within reach. `guess` is where a car should be
 * that was seen just before: as long as it is there, a section close by that leads elsewhere does not distract.
 */
export function nearestBin(line: CenterLine, x: number, y: number, guess: number): NearestBin | null {
  const near = guess === -1 ? null : nearestAround(line, x, y, guess);
  return near !== null && near.meters <= ON_TRACK_METERS ? near : nearestAnywhere(line, x, y);
}

/** Half the width of a track, and some more. */
const ON_TRACK_METERS = 18;
const GUESS_BINS_BEFORE = 2;
const GUESS_BINS_AFTER = 4;

function nearestAround(line: CenterLine, x: number, y: number, guess: number): NearestBin {
  const count = line.xs.length;
  let nearest = guess;
  let least = Number.POSITIVE_INFINITY;
  for (let offset = -GUESS_BINS_BEFORE; offset <= GUESS_BINS_AFTER; offset += 1) {
    const bin = (guess + offset + count) % count;
    const squared = (at(line.xs, bin) - x) ** 2 + (at(line.ys, bin) - y) ** 2;
    if (squared >= least) continue;
    least = squared;
    nearest = bin;
  }
  return { bin: nearest, meters: Math.sqrt(least) };
}

function nearestAnywhere(line: CenterLine, x: number, y: number): NearestBin | null {
  const [column, row] = [cellIndex(x), cellIndex(y)];
  let nearest = -1;
  let least = SEARCH_METERS ** 2;
  for (let cellX = column - 1; cellX <= column + 1; cellX += 1) {
    for (let cellY = row - 1; cellY <= row + 1; cellY += 1) {
      const bins = line.cells.get(cellOf(cellX, cellY));
      if (bins === undefined) continue;
      for (const bin of bins) {
        const squared = (at(line.xs, bin) - x) ** 2 + (at(line.ys, bin) - y) ** 2;
        if (squared >= least) continue;
        least = squared;
        nearest = bin;
      }
    }
  }
  return nearest === -1 ? null : { bin: nearest, meters: Math.sqrt(least) };
}

function cellIndex(meters: number): number {
  return Math.floor(meters / SEARCH_METERS);
}

function cellOf(column: number, row: number): number {
  return column * CELLS_PER_ROW + row;
}

/** One side of the polygon that an outline is. */
type Side = { from: PlanePoint; to: PlanePoint; meters: number };

function binsAlong(sides: readonly Side[], lengthMeters: number): PlanePoint[] {
  const count = Math.max(1, Math.round(lengthMeters / BIN_METERS));
  const bins: PlanePoint[] = [];
  let passedMeters = 0;
  for (const { from, to, meters } of sides) {
    while (bins.length < count) {
      const ahead = ((bins.length + 0.5) * lengthMeters) / count - passedMeters;
      if (ahead > meters) break;
      const u = ahead / meters;
      bins.push({ x: from.x + u * (to.x - from.x), y: from.y + u * (to.y - from.y) });
    }
    passedMeters += meters;
  }
  return bins;
}

function gridOf(bins: readonly PlanePoint[]): Map<number, number[]> {
  const cells = new Map<number, number[]>();
  bins.forEach(({ x, y }, bin) => {
    const cell = cellOf(cellIndex(x), cellIndex(y));
    const others = cells.get(cell);
    if (others === undefined) cells.set(cell, [bin]);
    else others.push(bin);
  });
  return cells;
}
