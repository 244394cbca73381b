import { at } from './fix-columns.ts';

/** Describes a point on the WGS 84 ellipsoid, in degrees; south and west are negative. */
export type Position = { lat: number; lon: number };

/** Describes a point on a flat plane around some origin, in metres: `x` to the east, `y` to the north. */
export type PlanePoint = { x: number; y: number };

/** Describes a flat plane that touches the ellipsoid at `origin`. */
export type Plane = { origin: Position; metersPerDegreeLat: number; metersPerDegreeLon: number };

const RADIANS_PER_DEGREE = Math.PI / 180;
// NIMA TR8350.2 defines the ellipsoid of WGS 84.
const SEMI_MAJOR_AXIS_METERS = 6_378_137;
const FLATTENING = 1 / 298.257223563;
/**
 * Equals one degree of latitude: the mean of pole and equator, of both radii. It is right to one percent anywhere, for
 * limits and rough distances; `planeAround` has the exact value at a place.
 */
export const METERS_PER_DEGREE = 111_230;
const ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING);

/**
 * Returns the plane around `origin`, with the ellipsoid's own radii of curvature there. A sphere would be wrong by up
 * to half a percent; this is right to 0.1 % within 5 km, up to 65° of latitude.
 */
export function planeAround(origin: Position): Plane {
  const sine = Math.sin(origin.lat * RADIANS_PER_DEGREE);
  const cosine = Math.cos(origin.lat * RADIANS_PER_DEGREE);
  const bulge = 1 - ECCENTRICITY_SQUARED * sine * sine;
  const meridianRadius = (SEMI_MAJOR_AXIS_METERS * (1 - ECCENTRICITY_SQUARED)) / bulge ** 1.5;
  const normalRadius = SEMI_MAJOR_AXIS_METERS / Math.sqrt(bulge);
  return {
    origin,
    metersPerDegreeLat: meridianRadius * RADIANS_PER_DEGREE,
    metersPerDegreeLon: normalRadius * cosine * RADIANS_PER_DEGREE,
  };
}

/**
 * Returns degrees eastwards from one longitude to another, by the shorter way: -180 up to 180, across the 180° meridian
 * as well. Negative to the west. A raw difference of two longitudes is wrong there by 360°.
 */
export function lonDifference(fromLon: number, toLon: number): number {
  return wrapDegrees(toLon - fromLon);
}

/** Returns the metres east of the plane's origin. */
export function planeX(plane: Plane, lon: number): number {
  return lonDifference(plane.origin.lon, lon) * plane.metersPerDegreeLon;
}

/** Returns the metres north of the plane's origin. */
export function planeY(plane: Plane, lat: number): number {
  return (lat - plane.origin.lat) * plane.metersPerDegreeLat;
}

export function toPlane(plane: Plane, position: Position): PlanePoint {
  return { x: planeX(plane, position.lon), y: planeY(plane, position.lat) };
}

export function toPosition(plane: Plane, point: PlanePoint): Position {
  return {
    lat: plane.origin.lat + point.y / plane.metersPerDegreeLat,
    lon: wrapDegrees(plane.origin.lon + point.x / plane.metersPerDegreeLon),
  };
}

/** Returns whether both coordinates are degrees that there are; false for NaN. */
export function isOnEarth(lat: number, lon: number): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
}

/** Returns whether a position is the 0/0 of receivers without a fix, noise around it, or the −1/−1 of some. No track is near. */
export function isNullIsland(lat: number, lon: number): boolean {
  const isNoise = Math.abs(lat) < NULL_ISLAND_DEGREES && Math.abs(lon) < NULL_ISLAND_DEGREES;
  return isNoise || (lat === -1 && lon === -1);
}

const NULL_ISLAND_DEGREES = 0.01;

/** Returns the point half way, for positions that are not far apart. */
export function middle(a: Position, b: Position): Position {
  return { lat: (a.lat + b.lat) / 2, lon: wrapDegrees(a.lon + lonDifference(a.lon, b.lon) / 2) };
}

/** Returns the distance over the ground. As exact as the plane half way: meant for up to a few kilometres, an estimate beyond. */
export function distanceMeters(a: Position, b: Position): number {
  const plane = planeAround(middle(a, b));
  return Math.hypot(planeX(plane, b.lon) - planeX(plane, a.lon), planeY(plane, b.lat) - planeY(plane, a.lat));
}

/** Returns the distance, right to one percent, for loops over many fixes: no objects, one cosine. */
export function roughDistanceMeters(
  lats: Float64Array,
  lons: Float64Array,
  from: number,
  to: number,
): number {
  const lat = at(lats, from);
  const north = (at(lats, to) - lat) * METERS_PER_DEGREE;
  const east = lonDifference(at(lons, from), at(lons, to)) * metersPerDegreeLon(lat);
  return Math.sqrt(north * north + east * east);
}

/** Returns one degree of longitude at a latitude, right to one percent like `METERS_PER_DEGREE`. */
export function metersPerDegreeLon(lat: number): number {
  return METERS_PER_DEGREE * Math.cos(lat * RADIANS_PER_DEGREE);
}

/** Returns the direction from `a` to `b`, clockwise from north, 0 up to (not including) 360. */
export function bearingDegrees(a: Position, b: Position): number {
  const plane = planeAround(middle(a, b));
  const east = planeX(plane, b.lon) - planeX(plane, a.lon);
  const north = planeY(plane, b.lat) - planeY(plane, a.lat);
  return (((Math.atan2(east, north) / RADIANS_PER_DEGREE) % 360) + 360) % 360;
}

/** Returns the unit vector that points along a bearing. */
export function bearingVector(bearingDeg: number): PlanePoint {
  return { x: Math.sin(bearingDeg * RADIANS_PER_DEGREE), y: Math.cos(bearingDeg * RADIANS_PER_DEGREE) };
}

/** Returns an angle between -180 and 180. Every difference of longitudes goes through here, for the 180th meridian. */
export function wrapDegrees(degrees: number): number {
  return degrees > 180 || degrees < -180 ? degrees - 360 * Math.round(degrees / 360) : degrees;
}
