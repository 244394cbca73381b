import { memo, useEffect, useRef, useState, type RefObject } from 'react';
import styles from './line-chart.module.css';
import { entry, nearestStation, type Column } from './lap-lines.ts';
import type { Range } from './zoom.ts';

/** One line of a chart; its colour is a token of tokens.css, and its dashes tell it from others without the colour. */
export type ChartLine = { values: Column; color: string; dashes?: readonly number[] };

/** The edges of a band, which is shaded in the colour of the first line. */
type Band = { upper: Column; lower: Column };

/** A tick of the horizontal axis with the text below it. */
export type ChartTick = { meters: number; label: string };

export type LineChartProps = {
  meters: Column;
  lines: readonly ChartLine[];
  band: Band | null;
  /** The visible range of the lap. */
  range: Range;
  ticks: readonly ChartTick[];
  /** True if the ticks have labels. */
  isLabelled: boolean;
  /** The smallest span of the vertical axis, which then includes zero; null if the axis need not show zero. */
  leastSpan: number | null;
  formatValue: (value: number) => string;
};

/**
 * Lines along a lap as SVG that fills its container. The paths are drawn once, in metres and values; a zoom changes only which part of them is
 * in view. The cursor lies above the chart, so it draws nothing either.
 */
export const LineChart = memo(function LineChart(props: LineChartProps) {
  const { meters, lines, band, range, ticks, isLabelled, formatValue } = props;
  const plot = useRef<HTMLDivElement>(null);
  const widthPx = useWidth(plot);
  const [from, to] = range;
  const [low, high] = findSpan(props);
  const levels = listLevels(low, high);
  const shown = ticks.filter((tick) => tick.meters >= from && tick.meters <= to);
  const left = (along: number) => `${((along - from) / (to - from)) * 100}%`;
  const top = (value: number) => `${((high - value) / (high - low)) * 100}%`;
  return (
    <div className={styles['chart']} data-labelled={isLabelled} data-chart="">
      <div ref={plot} className={styles['plot']}>
        {levels.map((level) => (
          <span key={level} className={styles['level']} style={{ top: top(level) }}>
            {formatValue(level)}
          </span>
        ))}
        {shown.map((tick) => (
          <span key={tick.meters} className={styles['tick']} style={{ left: left(tick.meters) }} />
        ))}
        <svg
          className={styles['lines']}
          viewBox={`${from} ${-high} ${to - from} ${high - low}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <Lines {...{ meters, lines, band }} />
        </svg>
        {isLabelled &&
          withRoom(shown, range, widthPx).map(({ meters: along, label }) => (
            <span key={along} className={styles['label']} style={{ left: left(along) }}>
              {label}
            </span>
          ))}
      </div>
    </div>
  );
});

type LinesProps = Pick<LineChartProps, 'meters' | 'lines' | 'band'>;

/** The drawing has y upwards as negative. */
const Lines = memo(function Lines({ meters, lines, band }: LinesProps) {
  const [first] = lines;
  return (
    <>
      {band && first && (
        <path d={drawBand(meters, band)} className={styles['band']} fill={`var(${first.color})`} />
      )}
      {lines.map(({ values, color, dashes }) => (
        <path
          key={color}
          d={`M${joinPoints(meters, values)}`}
          className={styles['line']}
          stroke={`var(${color})`}
          strokeDasharray={dashes?.join(' ')}
        />
      ))}
    </>
  );
});

function drawBand(meters: Column, { upper, lower }: Band): string {
  return `M${joinPoints(meters, upper)}L${joinPoints(meters.toReversed(), lower.toReversed())}Z`;
}

function joinPoints(meters: Column, values: Column): string {
  return meters.map((along, index) => `${along.toFixed(1)} ${(-entry(values, index)).toFixed(4)}`).join('L');
}

/** Finds the smallest and the largest visible value, with a margin. */
function findSpan({ meters, lines, band, range, leastSpan }: LineChartProps): Range {
  const [first, last] = [nearestStation(meters, range[0]), nearestStation(meters, range[1])];
  const columns = [...lines.map(({ values }) => values), ...(band ? [band.upper, band.lower] : [])];
  const values = columns.flatMap((column) => column.slice(first, last + 1));
  if (leastSpan !== null) values.push(-leastSpan, leastSpan);
  const least = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const padding = Math.max(most - least, 1e-6) * SPAN_PADDING;
  return [least - padding, most + padding];
}

const SPAN_PADDING = 0.06;
const LEVELS_MAX = 5;

/** Lists round values between two limits: steps of 1, 2 or 5, at most five of them. */
function listLevels(low: number, high: number): number[] {
  const power = 10 ** Math.floor(Math.log10((high - low) / LEVELS_MAX));
  const step = power * ([1, 2, 5, 10].find((factor) => (high - low) / (factor * power) <= LEVELS_MAX) ?? 10);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step);
}

/** The width of a character, and its share of the space around a label. */
const LABEL_CHARACTER_PX = 9;

/** Returns the ticks whose labels do not overlap the previous label. */
function withRoom(ticks: readonly ChartTick[], [from, to]: Range, widthPx: number): ChartTick[] {
  let freeFrom = -Infinity;
  return ticks.filter(({ meters, label }) => {
    const center = ((meters - from) / (to - from)) * widthPx;
    const half = (label.length * LABEL_CHARACTER_PX) / 2;
    if (center - half < freeFrom) return false;
    freeFrom = center + half;
    return true;
  });
}

function useWidth(element: RefObject<HTMLElement | null>): number {
  const [widthPx, setWidthPx] = useState(0);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([observed]) => setWidthPx(observed?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return widthPx;
}
