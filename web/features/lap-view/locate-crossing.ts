import type { ProofBundle } from '#contract/lap-view/proof.ts';
import { toPlane } from '#engine/geo.ts';
import type { CheckedCrossing } from '#engine/proof/time-proof.ts';
import { toLineFrame, type TimingLine } from '#engine/timing-line.ts';

/** Describes a point in metres as seen from the middle of the line: along the direction of driving, and to the right of it. */
export type LinePoint = { along: number; right: number };

export type LocatedCrossing = {
  /** Lists the fixes around the line in order, each with its index among those of the proof. */
  fixes: (LinePoint & { index: number })[];
  /** Gives the interpolated point on the line. */
  crossing: LinePoint;
  halfWidthMeters: number;
};

/** So many fixes are shown on each side of the line. */
const FIXES_EACH = 2;

/** Locates a crossing and the fixes around it relative to its line; null for a line without extent. */
export function locateCrossing(
  { lats, lons }: Pick<ProofBundle['measurement'], 'lats' | 'lons'>,
  line: TimingLine,
  { fixIndex }: CheckedCrossing,
): LocatedCrossing | null {
  const frame = toLineFrame(line);
  if (!frame) return null;
  const { plane, forward, right, halfWidthMeters } = frame;
  const indexes = Array.from({ length: 2 * FIXES_EACH }, (_, count) => fixIndex - FIXES_EACH + 1 + count);
  const located = indexes.flatMap((index) => {
    const [lat, lon] = [lats[index], lons[index]];
    if (lat === undefined || lon === undefined) return [];
    const { x, y } = toPlane(plane, { lat, lon });
    return [{ index, along: x * forward.x + y * forward.y, right: x * right.x + y * right.y }];
  });
  const [before, after] = [fixIndex, fixIndex + 1].map((wanted) =>
    located.find(({ index }) => index === wanted),
  );
  if (!before || !after) return null;
  // A lap may be driven against the direction of its line.
  const sign = after.along >= before.along ? 1 : -1;
  const turn = <Point extends LinePoint>(point: Point): Point => ({
    ...point,
    along: sign * point.along,
    right: sign * point.right,
  });
  const share = before.along / (before.along - after.along);
  return {
    fixes: located.map(turn),
    crossing: turn({ along: 0, right: before.right + share * (after.right - before.right) }),
    halfWidthMeters,
  };
}

/** Chooses the length of a scale bar: 1, 2 or 5 times a power of ten, at most `most`. */
export function chooseScaleLength(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([5, 2, 1].find((factor) => factor * power <= most) ?? 1);
}
