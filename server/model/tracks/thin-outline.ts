import { wrapDegrees } from '#engine/geo.ts';
import type { OutlinePoint } from '#engine/track.ts';

// The list of all tracks is the largest answer of a first visit, and most of it is outlines. The list leaves out details that a
// drawing of 150 pixels cannot show: 48 points draw every known circuit at that size, a triangle with a thousandth of its area is
// less than a pixel high, and five decimals are a metre.
const LISTED_POINTS_MAX = 48;
const INVISIBLE_SHARE = 0.001;
const LISTED_DECIMALS = 5;
// A closed outline needs at least this many points. An almost straight road would keep fewer.
const DRAWN_POINTS_MIN = 4;
// The work grows with the square of the points, so denser outlines are sampled first.
const BEGIN_WITH_POINTS_MAX = 1_000;

/** Thins an outline for the list of all tracks. */
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
 * Removes the points with the smallest triangles until at most `pointsMax` are left and every triangle has at least `areaMin`;
 * both ends stay. The triangle of a point is the one with its two neighbours (Visvalingam and Whyatt, 1993). `areaMin` is
 * twice the area of a triangle, in square degrees of latitude.
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

/** Returns the longer side of the outline's bounding box, in degrees of latitude. */
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

/** Returns twice the area of a triangle, in square degrees of latitude. */
function triangleArea(a?: OutlinePoint, b?: OutlinePoint, c?: OutlinePoint): number {
  if (!a || !b || !c) return 0;
  const [toB, toC] = [wrapDegrees(b[1] - a[1]), wrapDegrees(c[1] - a[1])];
  return Math.abs((b[0] - a[0]) * toC - (c[0] - a[0]) * toB) * shorteningAt(b[0]);
}

function shorteningAt(lat: number): number {
  return Math.cos((lat * Math.PI) / 180);
}
