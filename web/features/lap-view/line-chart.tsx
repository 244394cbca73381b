import { useEffect, useLayoutEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from '#web/ui/theme.ts';
import type { Column } from './lap-lines.ts';
import type { Range } from './zoom.ts';

/** One line of a chart; its colour is a token of tokens.css, and its dashes tell it from others without the colour. */
export type ChartLine = { values: Column; color: string; dashes?: readonly number[] };

/** Where the horizontal axis has a line, and what is written below it. */
export type ChartTick = { meters: number; label: string };

export type LineChartProps = {
  meters: Column;
  lines: readonly ChartLine[];
  /** Shaded between its edges, in the colour of the first line. */
  band: { upper: Column; lower: Column } | null;
  /** What is shown of the lap. */
  range: Range;
  ticks: readonly ChartTick[];
  /** Whether the ticks have labels. */
  isLabelled: boolean;
  /** Whether the vertical axis has to show zero, and the least that it shows. */
  leastSpan: number | null;
  formatValue: (value: number) => string;
};

// Next to the lines: the cursor and its gestures cover the rest. In CSS as --axis and --end.
const AXIS_PX = 44;
const END_PX = 12;
const LABELS_PX = 22;
const TOP_PX = 8;
/** A character and its share of the space around a label. */
const LABEL_CHARACTER_PX = 9;
const LINE_PX = 2;
const FONT = '500 11px "Archivo Text", sans-serif';

/** Lines along a lap, drawn by uPlot into the size of its container. The only file that knows uPlot, which it brings. */
export function LineChart(props: LineChartProps) {
  const theme = useTheme();
  // Other lines, or another theme, need a new chart; everything else changes in the one that is there.
  const shape = props.lines.map(({ color, dashes }) => `${color} ${dashes?.join(' ')}`).join();
  return <Chart key={`${theme} ${shape} ${props.band !== null}`} {...props} />;
}

function Chart(props: LineChartProps) {
  const { meters, lines, band, range } = props;
  const container = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    const chart = new uPlot(
      writeOptions(element, () => latest.current),
      undefined,
      element,
    );
    plot.current = chart;
    const observer = new ResizeObserver(() => chart.setSize(measure(element)));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, []);
  useEffect(() => {
    plot.current?.batch((chart: uPlot) => {
      chart.setData(joinData(meters, lines, band), false);
      chart.setScale('x', { min: range[0], max: range[1] });
    });
  }, [meters, lines, band, range]);
  return <div ref={container} style={{ position: 'absolute', inset: 0 }} />;
}

function measure(element: HTMLElement): { width: number; height: number } {
  return { width: Math.max(1, element.clientWidth), height: Math.max(1, element.clientHeight) };
}

/** The columns in uPlot's order: the distance, the lines, and the edges of the band. */
function joinData(
  meters: Column,
  lines: readonly ChartLine[],
  band: LineChartProps['band'],
): uPlot.AlignedData {
  const edges = band ? [band.upper, band.lower] : [];
  return [[...meters], ...[...lines.map(({ values }) => values), ...edges].map((values) => [...values])];
}

function writeOptions(element: HTMLElement, getProps: () => LineChartProps): uPlot.Options {
  const { lines, band, leastSpan, formatValue, isLabelled } = getProps();
  const color = (token: string) => readColor(element, `var(${token})`);
  const [grid, ink] = [color('--line'), color('--text-3')];
  const ticks = () => ticksWithin(getProps(), element.clientWidth - AXIS_PX - END_PX);
  return {
    ...measure(element),
    padding: [TOP_PX, END_PX, isLabelled ? 0 : TOP_PX, 0],
    legend: { show: false },
    // The page has a cursor of its own, across all charts and for fingers as well.
    cursor: { show: false },
    scales: {
      x: { time: false, range: (_plot, from, to) => [from, to] },
      y: { range: (_plot, least, most) => padValues(least, most, leastSpan) },
    },
    axes: [
      {
        splits: () => ticks().map(({ meters }) => meters),
        values: () => ticks().map(({ label }) => (isLabelled ? label : '')),
        size: isLabelled ? LABELS_PX : 0,
        stroke: ink,
        font: FONT,
        grid: { stroke: grid, width: 1 },
        ticks: { show: false },
      },
      {
        size: AXIS_PX,
        space: 36,
        stroke: ink,
        font: FONT,
        values: (_plot, splits) => splits.map(formatValue),
        grid: { stroke: grid, width: 1, dash: [2, 4] },
        ticks: { show: false },
      },
    ],
    series: [
      {},
      ...lines.map((line) => ({
        stroke: color(line.color),
        width: LINE_PX,
        dash: [...(line.dashes ?? [])],
        points: { show: false },
      })),
      ...(band ? [{ points: { show: false } }, { points: { show: false } }] : []),
    ],
    bands: band
      ? [
          {
            series: [lines.length + 1, lines.length + 2],
            fill: readColor(
              element,
              `color-mix(in srgb, var(${lines[0]?.color ?? '--text'}) 34%, transparent)`,
            ),
          },
        ]
      : [],
  };
}

/** The ticks in the range, those without a label where the one before leaves no room for it. */
function ticksWithin({ ticks, range: [from, to] }: LineChartProps, widthPx: number): ChartTick[] {
  let freeFrom = -Infinity;
  return ticks
    .filter(({ meters }) => meters >= from && meters <= to)
    .map((tick) => {
      const center = ((tick.meters - from) / (to - from)) * widthPx;
      const half = (tick.label.length * LABEL_CHARACTER_PX) / 2;
      if (center - half < freeFrom) return { ...tick, label: '' };
      freeFrom = center + half;
      return tick;
    });
}

function padValues(least: number | null, most: number | null, leastSpan: number | null): [number, number] {
  if (least === null || most === null) return [0, 1];
  const [low, high] =
    leastSpan === null ? [least, most] : [Math.min(least, -leastSpan), Math.max(most, leastSpan)];
  const padding = Math.max(high - low, 1e-6) * 0.06;
  return [low - padding, high + padding];
}

/** A colour as a canvas takes it; tokens depend on the theme. */
function readColor(element: HTMLElement, value: string): string {
  const probe = document.createElement('i');
  probe.style.color = value;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
