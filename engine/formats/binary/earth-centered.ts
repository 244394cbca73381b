import type { Position } from '../../geo.ts';

// NIMA TR8350.2 defines the ellipsoid of WGS 84.
const SEMI_MAJOR_METERS = 6_378_137;
const FLATTENING = 1 / 298.257223563;
const SEMI_MINOR_METERS = SEMI_MAJOR_METERS * (1 - FLATTENING);
const FIRST_ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING);
const SECOND_ECCENTRICITY_SQUARED = FIRST_ECCENTRICITY_SQUARED / (1 - FIRST_ECCENTRICITY_SQUARED);
const DEGREES_PER_RADIAN = 180 / Math.PI;

/** Describes a vector in metres, or metres per second, on the axes of the turning Earth: Greenwich, 90° east, north pole. */
export type EarthCentered = { x: number; y: number; z: number };

/** Returns a point near the ground (Bowring 1976; right to a millimetre within 10 km of it). NaN at the centre. */
export function toGeodetic({ x, y, z }: EarthCentered): Position {
  const axisMeters = Math.hypot(x, y);
  const parametric = Math.atan2(z * SEMI_MAJOR_METERS, axisMeters * SEMI_MINOR_METERS);
  const lat = Math.atan2(
    z + SECOND_ECCENTRICITY_SQUARED * SEMI_MINOR_METERS * Math.sin(parametric) ** 3,
    axisMeters - FIRST_ECCENTRICITY_SQUARED * SEMI_MAJOR_METERS * Math.cos(parametric) ** 3,
  );
  return { lat: lat * DEGREES_PER_RADIAN, lon: Math.atan2(y, x) * DEGREES_PER_RADIAN };
}

/** Returns the opposite of `toGeodetic`, on the ellipsoid itself. */
export function fromGeodetic({ lat, lon }: Position): EarthCentered {
  const [phi, lambda] = [lat / DEGREES_PER_RADIAN, lon / DEGREES_PER_RADIAN];
  const normalMeters = SEMI_MAJOR_METERS / Math.sqrt(1 - FIRST_ECCENTRICITY_SQUARED * Math.sin(phi) ** 2);
  return {
    x: normalMeters * Math.cos(phi) * Math.cos(lambda),
    y: normalMeters * Math.cos(phi) * Math.sin(lambda),
    z: normalMeters * (1 - FIRST_ECCENTRICITY_SQUARED) * Math.sin(phi),
  };
}

/** Returns the speed over the ground: what is left of a velocity without its part upwards. */
export function groundSpeed({ x, y, z }: EarthCentered, { lat, lon }: Position): number {
  const [phi, lambda] = [lat / DEGREES_PER_RADIAN, lon / DEGREES_PER_RADIAN];
  const up = x * Math.cos(phi) * Math.cos(lambda) + y * Math.cos(phi) * Math.sin(lambda) + z * Math.sin(phi);
  return Math.sqrt(Math.max(0, x * x + y * y + z * z - up * up));
}
