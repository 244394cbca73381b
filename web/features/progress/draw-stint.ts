import type { LapId } from '#contract/ids.ts';
import type { DrivenLap, DrivenSession } from './lap-names.ts';
import { markLap } from './lap-names.ts';
import { makeTimeScale, round, toShare, type TimeScale } from '#web/ui/time-scale.ts';

/** A lap on the chart of a stint: `y` counts from the top and is null for a lap that is not clean. */
export type StintPoint = { lap: DrivenLap; x: number; y: number | null };

/** The short mark above a lap that is not clean, in one of two rows; null where there is no room for it. */
export type StintMark = { lapId: LapId; text: string; x: number; row: 0 | 1 | null };

/** The chart of one session: one unit wide for each lap and one unit high, slower laps on top. */
export type StintDrawing = {
  scale: TimeScale;
  points: StintPoint[];
  marks: StintMark[];
  line: string;
  dots: string;
  /** Null with a single clean lap, which it would cross. */
  median: number | null;
  /** The band that holds half of the laps; null with fewer than five. */
  band: { top: number; height: number } | null;
};

// The plot of a phone is this wide at least, and so is a column of a longer stint.
const PLOT_PX = 280;
const COLUMN_PX = 18;
const CHARACTER_PX = 7;

/** Draws the laps of a session by their order; null where no lap is clean. */
export function drawStint({ laps, spread }: DrivenSession): StintDrawing | null {
  const scale = makeTimeScale(laps.flatMap(({ isClean, lapTimeMs }) => (isClean ? [lapTimeMs] : [])));
  if (!scale || !spread) return null;
  const toY = (timeMs: number) => round(1 - toShare(scale, timeMs));
  const points = laps.map((lap, index) => ({
    lap,
    x: index + 0.5,
    y: lap.isClean ? toY(lap.lapTimeMs) : null,
  }));
  const { medianMs, spreadMs, lapCount } = spread;
  const top = spreadMs === null ? 0 : toY(medianMs + spreadMs);
  return {
    scale,
    points,
    marks: placeMarks(points),
    line: joinNeighbours(points),
    dots: points.map(({ x, y }) => (y === null ? '' : `M${x} ${y}h0`)).join(''),
    median: lapCount > 1 ? toY(medianMs) : null,
    band: spreadMs === null ? null : { top, height: round(toY(medianMs - spreadMs) - top) },
  };
}

/** Joins clean laps that follow each other; a lap between them that is not clean, or not shown, breaks the line. */
function joinNeighbours(points: readonly StintPoint[]): string {
  return points
    .map(({ lap, x, y }, index) => {
      if (y === null) return '';
      const before = points[index - 1];
      const follows = before !== undefined && before.y !== null && before.lap.number === lap.number - 1;
      return `${follows ? 'L' : 'M'}${x} ${y}`;
    })
    .join('');
}

function placeMarks(points: readonly StintPoint[]): StintMark[] {
  const columnPx = Math.max(COLUMN_PX, PLOT_PX / points.length);
  const endsPx = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return points.flatMap(({ lap, x, y }): StintMark[] => {
    if (y !== null) return [];
    const text = markLap(lap);
    const halfPx = (text.length * CHARACTER_PX) / 2;
    // The text of the first or the last lap stays within the plot.
    const half = halfPx / columnPx;
    const middle = Math.max(half, Math.min(points.length - half, x));
    const startPx = middle * columnPx - halfPx;
    const row = ([0, 1] as const).find((index) => (endsPx[index] ?? 0) < startPx) ?? null;
    if (row !== null) endsPx[row] = startPx + 2 * halfPx;
    return [{ lapId: lap.lapId, text, x: round(middle), row }];
  });
}
