import { memo, useMemo } from 'react';
import { chooseScale } from './chart-scale.ts';
import { entry, type Column } from './lap-lines.ts';
import styles from './line-chart.module.css';
import type { Hole } from './shown-laps.ts';
import type { Range } from './zoom.ts';

/** One line of a chart; its colour is a token of tokens.css, and its dashes tell it from others without the colour. */
export type ChartLine = {
  id: string;
  values: Column;
  color: string;
  dashes?: readonly number[];
  /** The line stops in holes; a dotted one goes through them. */
  holes: readonly Hole[];
  isDottedInHoles?: boolean;
};

type Band = { upper: Column; lower: Column };

/** A part of the lap that the chart shades; the one that the reader looks at is darker. */
export type ShadedPart = { startMeters: number; endMeters: number; isCurrent: boolean };

/** A braking point of a lap. */
export type BrakingMark = { meters: number; value: number; color: string };

export type LineChartProps = {
  meters: Column;
  lines: readonly ChartLine[];
  band: Band | null;
  range: Range;
  shaded: readonly ShadedPart[];
  sectorMeters: readonly number[];
  brakings?: readonly BrakingMark[];
  index: number;
  /** The smallest span of the vertical axis, which then includes zero; null if the axis need not show zero. */
  leastSpan: number | null;
  /** The values are multiples of this, and so are the levels of the axis. */
  leastStep?: number;
  formatValue: (value: number, levels: readonly number[]) => string;
};

/**
 * Draws lines along a lap as SVG that fills its container. The paths are drawn once, in metres and values; a zoom changes
 * only which part of them is in view.
 */
export function LineChart(props: LineChartProps) {
  const { meters, lines, band, range, index, formatValue, brakings = [] } = props;
  const { shaded, sectorMeters, leastSpan, leastStep = 0 } = props;
  const [from, to] = range;
  const scale = useMemo(() => {
    const columns = [...lines.map(({ values }) => values), ...(band ? [band.upper, band.lower] : [])];
    return chooseScale(meters, columns, { range, leastSpan, leastStep });
  }, [meters, lines, band, range, leastSpan, leastStep]);
  const left = (along: number) => `${((along - from) / (to - from)) * 100}%`;
  const top = (value: number) => `${((scale.high - value) / (scale.high - scale.low)) * 100}%`;
  return (
    <div className={styles['chart']} data-chart="">
      {scale.levels.map((level) => (
        <span key={level} className={styles['level']} data-zero={level === 0} style={{ top: top(level) }}>
          {formatValue(level, scale.levels)}
        </span>
      ))}
      <div className={styles['clip']}>
        <Ground {...{ range, shaded, sectorMeters }} />
        <svg
          className={styles['lines']}
          viewBox={`${from} ${-scale.high} ${to - from} ${scale.high - scale.low}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <Lines {...{ meters, lines, band }} />
        </svg>
        <Marks {...{ meters, lines, brakings, index, left, top }} />
      </div>
    </div>
  );
}

type MarksProps = Required<Pick<LineChartProps, 'meters' | 'lines' | 'brakings' | 'index'>> & {
  left: (meters: number) => string;
  top: (value: number) => string;
};

/** Marks where braking begins, and each line at the cursor. */
function Marks({ meters, lines, brakings, index, left, top }: MarksProps) {
  return (
    <>
      {brakings.map((mark) => (
        <span
          key={`${mark.color} ${mark.meters}`}
          className={styles['braking']}
          style={{
            left: left(mark.meters),
            top: top(mark.value),
            borderTopColor: `var(${mark.color})`,
          }}
        />
      ))}
      {lines.map(({ id, values, color }) => (
        <span
          key={id}
          className={styles['point']}
          hidden={Number.isNaN(entry(values, index))}
          style={{
            left: left(entry(meters, index)),
            top: top(entry(values, index)),
            borderColor: `var(${color})`,
          }}
        />
      ))}
    </>
  );
}

/** Shades the corners and marks the sector lines. */
const Ground = memo(function Ground({
  range: [from, to],
  shaded,
  sectorMeters,
}: Pick<LineChartProps, 'range' | 'shaded' | 'sectorMeters'>) {
  const share = (meters: number) => `${(meters / (to - from)) * 100}%`;
  return (
    <>
      {shaded.map(({ startMeters, endMeters, isCurrent }) => (
        <span
          key={startMeters}
          className={styles['shaded']}
          data-current={isCurrent}
          style={{ left: share(startMeters - from), width: share(endMeters - startMeters) }}
        />
      ))}
      {sectorMeters.map((meters) => (
        <span key={meters} className={styles['sector']} style={{ left: share(meters - from) }} />
      ))}
    </>
  );
});

type LinesProps = Pick<LineChartProps, 'meters' | 'lines' | 'band'>;

/** The drawing has y upwards as negative. */
const Lines = memo(function Lines({ meters, lines, band }: LinesProps) {
  return (
    <>
      {band && <path d={drawBand(meters, band)} className={styles['band']} />}
      {lines.map(({ id, values, color, dashes, holes, isDottedInHoles }) => {
        const { drawn, missing } = splitAtHoles(meters, holes);
        const shared = { className: styles['line'], stroke: `var(${color})` };
        return (
          <g key={id}>
            <path {...shared} d={drawParts(meters, values, drawn)} strokeDasharray={dashes?.join(' ')} />
            {isDottedInHoles && (
              <path {...shared} d={drawParts(meters, values, missing)} strokeDasharray="1 4" />
            )}
          </g>
        );
      })}
    </>
  );
});

type StationRange = readonly [first: number, last: number];

/** Splits the stations at the holes: the parts with a signal, and those without. */
export function splitAtHoles(
  meters: Column,
  holes: readonly Hole[],
): { drawn: StationRange[]; missing: StationRange[] } {
  const drawn: StationRange[] = [];
  const missing: StationRange[] = [];
  let first = 0;
  for (const { startMeters, endMeters } of holes) {
    const before = meters.findLastIndex((along) => along <= startMeters);
    const after = meters.findIndex((along) => along >= endMeters);
    const [last, next] = [Math.max(0, before), after < 0 ? meters.length - 1 : after];
    if (last > first) drawn.push([first, last]);
    missing.push([last, next]);
    first = next;
  }
  if (first < meters.length - 1) drawn.push([first, meters.length - 1]);
  return { drawn, missing };
}

function drawParts(meters: Column, values: Column, parts: readonly StationRange[]): string {
  return parts
    .map(([first, last]) => `M${joinPoints(meters.slice(first, last + 1), values.slice(first, last + 1))}`)
    .join('');
}

function drawBand(meters: Column, { upper, lower }: Band): string {
  return `M${joinPoints(meters, upper)}L${joinPoints(meters.toReversed(), lower.toReversed())}Z`;
}

function joinPoints(meters: Column, values: Column): string {
  return meters.map((along, index) => `${along.toFixed(1)} ${(-entry(values, index)).toFixed(4)}`).join('L');
}
