import { wrapDegrees } from '#engine/geo.ts';
import type { OutlinePoint } from '#engine/track.ts';

// The list of all tracks is the largest part of a first visit, and most of it is outlines: what a drawing of some 150 pixels cannot
// show is left out. 48 points draw every circuit there is at that size, a thousandth of its square is less than a pixel to
// the side, and five decimals are a metre.
const LISTED_POINTS_MAX = 48;
const INVISIBLE_SHARE = 0.001;
const LISTED_DECIMALS = 5;
// The smallest closed way; fewer cannot be drawn, and a road that is almost straight would have fewer.
const DRAWN_POINTS_MIN = 4;
// The work grows with the square of the points; of a denser outline every so many are enough to begin with.
const BEGIN_WITH_POINTS_MAX = 1_000;

/** The outline as the list of all tracks has it. */
export function listedOutline(outline: readonly OutlinePoint[]): OutlinePoint[] {
  const step = Math.ceil(outline.length / BEGIN_WITH_POINTS_MAX);
  const some = outline.filter((_, index) => index % step === 0 || index === outline.length - 1);
  const invisibleArea = INVISIBLE_SHARE * measureExtent(outline) ** 2;
  return thinOutline(some, LISTED_POINTS_MAX, invisibleArea).map(([lat, lon]) => [
    rounded(lat),
    rounded(lon),
  ]);
}

function rounded(degrees: number): number {
  return Number(degrees.toFixed(LISTED_DECIMALS));
}

/**
 * Leaves out the points of `outline` that its shape misses least, until `pointsMax` are left and none of them counts less than
 * `areaMin`; both ends stay. A point counts as much as the triangle that it makes with its neighbours is large (Visvalingam and
 * Whyatt, 1993); `areaMin` is twice such an area, in square degrees of latitude.
 */
export function thinOutline(
  outline: readonly OutlinePoint[],
  pointsMax: number,
  areaMin = 0,
): OutlinePoint[] {
  const points = [...outline];
  while (points.length > Math.max(2, Math.min(pointsMax, DRAWN_POINTS_MIN))) {
    const { index, area } = findFlattest(points);
    if (points.length <= pointsMax && (area >= areaMin || points.length <= DRAWN_POINTS_MIN)) break;
    points.splice(index, 1);
  }
  return points;
}

function findFlattest(points: readonly OutlinePoint[]): { index: number; area: number } {
  let index = 1;
  let smallestArea = Number.POSITIVE_INFINITY;
  for (let i = 1; i < points.length - 1; i++) {
    const area = triangleArea(points[i - 1], points[i], points[i + 1]);
    if (area < smallestArea) {
      smallestArea = area;
      index = i;
    }
  }
  return { index, area: smallestArea };
}

/** The longer side of the box around an outline, in degrees of latitude. */
function measureExtent(outline: readonly OutlinePoint[]): number {
  const [first] = outline;
  if (!first) return 0;
  const height = findRange(outline.map(([lat]) => lat));
  const width = findRange(outline.map(([, lon]) => wrapDegrees(lon - first[1])));
  return Math.max(height, width * shorteningAt(first[0]));
}

function findRange(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

/** Twice the area, on a plane in which a degree of longitude is as short as it is at this latitude. */
function triangleArea(a?: OutlinePoint, b?: OutlinePoint, c?: OutlinePoint): number {
  if (!a || !b || !c) return 0;
  const [toB, toC] = [wrapDegrees(b[1] - a[1]), wrapDegrees(c[1] - a[1])];
  return Math.abs((b[0] - a[0]) * toC - (c[0] - a[0]) * toB) * shorteningAt(b[0]);
}

function shorteningAt(lat: number): number {
  return Math.cos((lat * Math.PI) / 180);
}
