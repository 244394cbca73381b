import type { DrawnPoint } from '#engine/drawing/circuit-path.ts';

/** A corner to number: the index of its apex among the points, and the side to which it turns. */
export type NumberedCorner = { number: number; index: number; direction: 'left' | 'right' };

export type PlacedNumber = DrawnPoint & { number: number };

/** The size of the north mark in the upper right corner of a map, with the space beside it. */
export const NORTH_MARK = { width: 24, height: 46 };

/** Distances from the apex to try, and directions beside the outside of the bend, in degrees. */
const DISTANCES = [1.15, 1.4, 1.7, 2.1, 2.6];
const TURNS_DEG = [0, 25, -25, 50, -50, 80, -80, 180, 150, -150];

/**
 * Places the numbers of corners on a map: outside of the bend if possible, never nearer to a line than `clearance`, nor
 * nearer to each other than one and a half of that, nor on the north mark. A corner without such a place has no number.
 */
export function placeNumbers(
  points: readonly DrawnPoint[],
  corners: readonly NumberedCorner[],
  { clearance, width, height }: { clearance: number; width: number; height: number },
): PlacedNumber[] {
  const placed: PlacedNumber[] = [];
  const isFree = ({ x, y }: DrawnPoint) =>
    x >= clearance / 2 &&
    x <= width - clearance / 2 &&
    y >= clearance / 2 &&
    y <= height - clearance / 2 &&
    !(x >= width - NORTH_MARK.width - clearance / 2 && y <= NORTH_MARK.height + clearance / 2) &&
    placed.every((other) => Math.hypot(other.x - x, other.y - y) >= clearance * 1.5) &&
    points.every((point) => Math.hypot(point.x - x, point.y - y) >= clearance);
  for (const { number, index, direction } of corners) {
    const [here, before, after] = [points[index], pick(points, index - 2), pick(points, index + 2)];
    if (!here || !before || !after) continue;
    const along = Math.atan2(after.y - before.y, after.x - before.x);
    // On a drawing, y grows downwards: the outside of a left bend is on the right of the way.
    const outside = along + (direction === 'left' ? Math.PI / 2 : -Math.PI / 2);
    const candidates = DISTANCES.flatMap((distance) =>
      TURNS_DEG.map((degrees) => {
        const angle = outside + (degrees * Math.PI) / 180;
        const reach = distance * clearance;
        return { x: here.x + reach * Math.cos(angle), y: here.y + reach * Math.sin(angle) };
      }),
    );
    const free = candidates.find(isFree);
    if (free) placed.push({ number, ...free });
  }
  return placed;
}

function pick(points: readonly DrawnPoint[], index: number): DrawnPoint | undefined {
  return points[Math.min(Math.max(index, 0), points.length - 1)];
}
