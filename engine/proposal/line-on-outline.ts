import { planeAround, toPlane } from '../geo.ts';
import type { TimingLine } from '../timing-line.ts';
import type { OutlinePoint } from '../track.ts';
import { HALF_WIDTH_METERS, squareLine } from './place-line.ts';

/** A line square to a closed outline, at one of its points. Null where the outline has no such point. */
export function lineOnOutline(
  outline: readonly OutlinePoint[],
  index: number,
  halfWidthMeters = HALF_WIDTH_METERS,
): TimingLine | null {
  const [here, before, after] = [0, -ARM_POINTS, ARM_POINTS].map(
    (step) => outline[(index + step + outline.length) % outline.length],
  );
  if (here === undefined || before === undefined || after === undefined) return null;
  const plane = planeAround({ lat: here[0], lon: here[1] });
  const [from, to] = [before, after].map(([lat, lon]) => toPlane(plane, { lat, lon }));
  if (from === undefined || to === undefined) return null;
  const [x, y] = [to.x - from.x, to.y - from.y];
  const meters = Math.hypot(x, y);
  if (!(meters > 0)) return null;
  return squareLine(plane, { x: 0, y: 0 }, { x: x / meters, y: y / meters }, halfWidthMeters);
}

/** The direction at a point is that from so many points before it to as many behind it. */
const ARM_POINTS = 2;
