import type { OutlinePoint } from '#engine/track.ts';

// Enough for a drawing the size of a card.
const LISTED_POINTS_MAX = 48;
// The work grows with the square of the points; of a denser outline every so many are enough to begin with.
const BEGIN_WITH_POINTS_MAX = 1_000;

/** The outline as the list of all tracks has it. */
export function listedOutline(outline: readonly OutlinePoint[]): OutlinePoint[] {
  const step = Math.ceil(outline.length / BEGIN_WITH_POINTS_MAX);
  const some = outline.filter((_, index) => index % step === 0 || index === outline.length - 1);
  return thinOutline(some, LISTED_POINTS_MAX);
}

/**
 * Leaves out the points of `outline` that its shape misses least, until `pointsMax` are left; both ends stay.
 * A point counts as much as the triangle that it makes with its neighbours is large (Visvalingam and Whyatt, 1993).
 */
export function thinOutline(outline: readonly OutlinePoint[], pointsMax: number): OutlinePoint[] {
  const points = [...outline];
  while (points.length > Math.max(pointsMax, 2)) points.splice(flattestIndex(points), 1);
  return points;
}

function flattestIndex(points: readonly OutlinePoint[]): number {
  let flattest = 1;
  let smallestArea = Number.POSITIVE_INFINITY;
  for (let i = 1; i < points.length - 1; i++) {
    const area = triangleArea(points[i - 1], points[i], points[i + 1]);
    if (area < smallestArea) {
      smallestArea = area;
      flattest = i;
    }
  }
  return flattest;
}

/** Twice the area, on a plane in which a degree of longitude is as short as it is at this latitude. */
function triangleArea(a?: OutlinePoint, b?: OutlinePoint, c?: OutlinePoint): number {
  if (!a || !b || !c) return 0;
  const eastward = Math.cos((b[0] * Math.PI) / 180);
  return Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) * eastward;
}
