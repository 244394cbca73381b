/** A point on the WGS 84 ellipsoid, in degrees; south and west are negative. */
export type Position = { lat: number; lon: number };

/** A point on a flat plane around some origin, in metres: `x` to the east, `y` to the north. */
export type PlanePoint = { x: number; y: number };
