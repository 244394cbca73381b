import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { useMemo, useRef, useState, useSyncExternalStore, type KeyboardEvent, type ReactNode } from 'react';
import { Button, IconButton } from '#web/ui/button.tsx';
import { useChartGestures } from './chart-gestures.ts';
import styles from './lap-charts.module.css';
import type { LapCursor } from './lap-cursor.ts';
import { countGapFrom, entry, nearestStation, widenBandFrom, type Column } from './lap-lines.ts';
import { LineChart, type ChartTick } from './line-chart.tsx';
import type { MarkedCorner, ShownLap } from './shown-laps.ts';
import { zoomRange, type Range } from './zoom.ts';

type LapChartsProps = {
  meters: Column;
  /** The laps, with the reference first. */
  laps: readonly ShownLap[];
  /** The lap whose gap has a band, drawn in its colour. */
  active: ShownLap | null;
  corners: readonly MarkedCorner[];
  cursor: LapCursor;
  /** The figures under the cursor as text. */
  valueText: string;
};

const ZOOM_STEP = 0.5;
const FULL_TICK_METERS = 500;

/** Draws the gap above the speeds, on one axis, with one cursor for mouse, fingers and arrow keys. */
export function LapCharts({ meters, laps, active, corners, cursor, valueText }: LapChartsProps) {
  const slider = useRef<HTMLInputElement>(null);
  const [countsFromLeft, setCountsFromLeft] = useState(true);
  const ticks = useMemo(() => listTicks(corners, meters), [corners, meters]);
  const { range, isZoomed, index, moveTo, zoomTo } = cursor;
  const shared = { meters, range, ticks };
  const showWhole = () => zoomTo([0, entry(meters, meters.length - 1)]);
  const zoomBy = (factor: number) => zoomTo(zoomRange(range, entry(meters, index), factor));
  return (
    <>
      <div className={styles['charts']}>
        {active && <GapChart {...shared} {...{ laps, active }} isFromLeft={isZoomed && countsFromLeft} />}
        <SpeedChart {...shared} laps={laps} />
        <ChartSurface
          meters={entry(meters, index)}
          range={range}
          onPoint={moveTo}
          onZoom={zoomTo}
          // Arrow keys continue from the point that the reader picked.
          onPick={() => slider.current?.focus({ preventScroll: true })}
          onWhole={showWhole}
        />
      </div>
      <input
        ref={slider}
        type="range"
        className={styles['slider']}
        aria-label="Position along the lap"
        aria-valuetext={valueText}
        min={nearestStation(meters, range[0])}
        max={nearestStation(meters, range[1])}
        value={index}
        onChange={(event) => moveTo(entry(meters, event.currentTarget.valueAsNumber))}
        onKeyDown={(event) => zoomByKey(event, zoomBy)}
      />
      <ChartTools {...{ isZoomed, zoomBy }} onWhole={showWhole}>
        {active && (
          <Button
            size="small"
            variant="quiet"
            aria-pressed={countsFromLeft}
            disabled={!isZoomed}
            className={styles['fromLeft']}
            onClick={() => setCountsFromLeft(!countsFromLeft)}
          >
            Gap from the left edge
          </Button>
        )}
      </ChartTools>
    </>
  );
}

type ChartToolsProps = {
  isZoomed: boolean;
  zoomBy: (factor: number) => void;
  onWhole: () => void;
  children: ReactNode;
};

/** Shows buttons for the gestures, for keyboards and for readers who cannot pinch. */
function ChartTools({ isZoomed, zoomBy, onWhole, children }: ChartToolsProps) {
  return (
    <div className={styles['tools']}>
      <IconButton label="Zoom in" icon={<ZoomIn size={18} />} onClick={() => zoomBy(ZOOM_STEP)} />
      <IconButton
        label="Zoom out"
        icon={<ZoomOut size={18} />}
        disabled={!isZoomed}
        onClick={() => zoomBy(1 / ZOOM_STEP)}
      />
      <IconButton
        label="Show the whole lap"
        icon={<Maximize2 size={16} />}
        disabled={!isZoomed}
        onClick={onWhole}
      />
      {children}
      <span className={styles['hint']}>Drag or pinch to zoom, arrow keys to step</span>
    </div>
  );
}

function zoomByKey(event: KeyboardEvent, zoomBy: (factor: number) => void): void {
  if (event.key === '+' || event.key === '=') zoomBy(ZOOM_STEP);
  else if (event.key === '-') zoomBy(1 / ZOOM_STEP);
}

type SharedProps = { meters: Column; range: Range; ticks: readonly ChartTick[] };
type GapChartProps = SharedProps & { laps: readonly ShownLap[]; active: ShownLap; isFromLeft: boolean };

const GAP_SPAN_MIN_SECONDS = 0.05;

function GapChart({ laps, active, isFromLeft, ...shared }: GapChartProps) {
  const { meters, range } = shared;
  const left = isFromLeft ? nearestStation(meters, range[0]) : null;
  const { lines, band } = useMemo(() => gapLines(laps, active, left), [laps, active, left]);
  const subject = active.driver === 'You' ? 'you are' : `${active.driver} is`;
  return (
    <>
      <h2 className={styles['heading']}>
        <span>Gap, s. Above zero {subject} behind</span>
        <span className={styles['note']}>shaded: 95 %</span>
      </h2>
      <Plot className={styles['gap']}>
        <LineChart
          {...shared}
          {...{ lines, band }}
          isLabelled={false}
          leastSpan={GAP_SPAN_MIN_SECONDS}
          formatValue={formatGapTick}
        />
      </Plot>
    </>
  );
}

function formatGapTick(seconds: number): string {
  const text = Math.abs(seconds).toFixed(2);
  return seconds === 0 ? '0' : `${seconds > 0 ? '+' : '−'}${text}`;
}

function toSeconds(column: Column): number[] {
  return column.map((value) => value / 1000);
}

/**
 * Returns the gaps in seconds, that of the active lap first, with its band; a zoomed chart counts from its first
 * station.
 */
function gapLines(laps: readonly ShownLap[], active: ShownLap, left: number | null) {
  const compared = [active, ...laps.filter((lap) => lap !== active)].flatMap(({ lapId, gap, stroke }) =>
    gap ? [{ lapId, stroke, gapMs: left === null ? gap.gapMs : countGapFrom(gap.gapMs, left) }] : [],
  );
  // The line with the band needs no dashes.
  const lines = compared.map(({ lapId, stroke, gapMs }) => ({
    color: stroke.color,
    dashes: lapId === active.lapId ? [] : stroke.dashes,
    values: toSeconds(gapMs),
  }));
  const [first] = compared;
  const bandMs = active.gap && (left === null ? active.gap.bandMs : widenBandFrom(active.gap.bandMs, left));
  if (!first || !bandMs) return { lines, band: null };
  const edge = (sign: number) =>
    toSeconds(first.gapMs.map((gap, index) => gap + sign * entry(bandMs, index)));
  return { lines, band: { upper: edge(1), lower: edge(-1) } };
}

function SpeedChart({ laps, ...shared }: SharedProps & { laps: readonly ShownLap[] }) {
  const lines = useMemo(
    () => laps.map(({ stroke, speedsKmh }) => ({ ...stroke, values: speedsKmh })),
    [laps],
  );
  return (
    <>
      <h2 className={styles['heading']}>
        <span>Speed, km/h</span>
      </h2>
      <Plot className={styles['speed']}>
        <LineChart {...shared} lines={lines} band={null} isLabelled leastSpan={null} formatValue={String} />
      </Plot>
    </>
  );
}

/** Keeps the room of a chart until it is there: in the page of the server, its paths would weigh more than all the rest. */
function Plot({ className, children }: { className: string | undefined; children: ReactNode }) {
  const isInBrowser = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
  return <div className={className}>{isInBrowser && children}</div>;
}

type ChartSurfaceProps = {
  /** The distance under the cursor. */
  meters: number;
  range: Range;
  onPoint: (meters: number) => void;
  onZoom: (range: Range) => void;
  onPick: () => void;
  onWhole: () => void;
};

/** Lies over both charts: the cursor, and what the pointer does. */
function ChartSurface({ meters, range, onPoint, onZoom, onPick, onWhole }: ChartSurfaceProps) {
  const surface = useRef<HTMLDivElement>(null);
  const { selection, handlers } = useChartGestures(surface, { range, onPoint, onZoom });
  const [from, to] = range;
  return (
    <div
      ref={surface}
      className={styles['surface']}
      {...handlers}
      onClick={onPick}
      onDoubleClick={onWhole}
      aria-hidden="true"
    >
      <span className={styles['cursor']} style={{ left: `${((meters - from) / (to - from)) * 100}%` }} />
      {selection && (
        <span
          className={styles['selection']}
          style={{
            left: `${Math.min(selection.from, selection.to) * 100}%`,
            width: `${Math.abs(selection.to - selection.from) * 100}%`,
          }}
        />
      )}
    </div>
  );
}

/** Lists the corners by their numbers; without any, a tick every 500 m. */
function listTicks(corners: readonly MarkedCorner[], meters: Column): ChartTick[] {
  if (corners.length > 0)
    return corners.map(({ apexMeters, number }) => ({ meters: apexMeters, label: String(number) }));
  const count = Math.floor(entry(meters, meters.length - 1) / FULL_TICK_METERS);
  return Array.from({ length: count }, (_, index) => {
    const at = (index + 1) * FULL_TICK_METERS;
    return { meters: at, label: `${at / 1000} km` };
  });
}
