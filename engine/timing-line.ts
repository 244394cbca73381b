import type { Position } from './geo.ts';

/**
 * A line across the track. Seen by a driver who passes it the right way, `a` is its left end and `b` its right end.
 * `bearingDeg` is that driving direction, clockwise from north; null where nobody has told it.
 */
export type TimingLine = { a: Position; b: Position; bearingDeg: number | null };
