import { useMemo } from 'react';
import { countGapFrom, entry, widenBandFrom, type Column } from './lap-lines.ts';
import { LineChart, type LineChartProps } from './line-chart.tsx';
import type { ShownLap } from './shown-laps.ts';

export type ChartParts = Pick<LineChartProps, 'meters' | 'range' | 'shaded' | 'sectorMeters' | 'index'>;

type GapChartProps = ChartParts & {
  laps: readonly ShownLap[];
  active: ShownLap;
  /** The station from which the gap counts; null: the line. */
  left: number | null;
};

const GAP_SPAN_MIN_SECONDS = 0.05;

/** Draws the gap of the chosen lap in ink with its band, because it belongs to neither lap; it is dotted in holes. */
export function GapChart({ laps, active, left, ...parts }: GapChartProps) {
  const { lines, band } = useMemo(() => drawGaps(laps, active, left), [laps, active, left]);
  return (
    <LineChart
      {...parts}
      {...{ lines, band }}
      leastSpan={GAP_SPAN_MIN_SECONDS}
      formatValue={formatGapLevel}
    />
  );
}

function formatGapLevel(seconds: number, levels: readonly number[]): string {
  const step = Math.abs((levels[1] ?? 1) - (levels[0] ?? 0));
  const decimals = step >= 10 ? 0 : Math.max(1, -Math.floor(Math.log10(step) + 1e-9));
  return seconds === 0 ? '0' : `${seconds > 0 ? '+' : '−'}${Math.abs(seconds).toFixed(decimals)}`;
}

function toSeconds(column: Column): number[] {
  return column.map((value) => value / 1000);
}

function drawGaps(laps: readonly ShownLap[], active: ShownLap, left: number | null) {
  const reference = laps[0]?.holes ?? [];
  const compared = [active, ...laps.filter((lap) => lap !== active)].flatMap(
    ({ lapId, gap, stroke, holes }) =>
      gap
        ? [
            {
              id: lapId,
              gapMs: left === null ? gap.gapMs : countGapFrom(gap.gapMs, left),
              color: lapId === active.lapId ? '--text' : stroke.color,
              dashes: lapId === active.lapId ? [] : stroke.dashes,
              holes: [...reference, ...holes].toSorted((a, b) => a.startMeters - b.startMeters),
            },
          ]
        : [],
  );
  const lines = compared.map(({ gapMs, ...line }) => ({
    ...line,
    values: toSeconds(gapMs),
    isDottedInHoles: true,
  }));
  const [first] = compared;
  const bandMs = active.gap && (left === null ? active.gap.bandMs : widenBandFrom(active.gap.bandMs, left));
  if (!first || !bandMs) return { lines, band: null };
  const edge = (sign: number) =>
    toSeconds(first.gapMs.map((gap, index) => gap + sign * entry(bandMs, index)));
  return { lines, band: { upper: edge(1), lower: edge(-1) } };
}
