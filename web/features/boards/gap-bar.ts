type Gap = { gapMs: number };

// Further records do not change the scale, so that no bar changes while a long board loads.
const SCALE_RECORDS = 20;

const BAR_HEIGHT_PX = 3;

/** Returns the gap whose bar has the full width: the largest one near the top. Larger gaps have full bars, too. */
export function findGapScale(records: readonly Gap[]): number {
  return Math.max(1, ...records.slice(0, SCALE_RECORDS).map(({ gapMs }) => gapMs));
}

/** Returns the size of the background that draws a gap as a thin bar. */
export function drawGapBar(gapMs: number, scaleMs: number): { backgroundSize: string } {
  const percent = Math.round(Math.min(1, gapMs / scaleMs) * 1000) / 10;
  return { backgroundSize: `calc((100% - 2 * var(--s3)) * ${percent / 100}) ${BAR_HEIGHT_PX}px` };
}
