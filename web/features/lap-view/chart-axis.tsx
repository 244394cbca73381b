import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { formatCount, lengthUnit, metersPerUnit } from '#web/ui/format.ts';
import styles from './chart-axis.module.css';
import type { LapCursor } from './lap-cursor.ts';
import { entry, type Column } from './lap-lines.ts';
import type { Range } from './zoom.ts';

type ChartAxisProps = {
  slider: RefObject<HTMLInputElement | null>;
  meters: Column;
  cursor: LapCursor;
  /** The figures under the cursor as text. */
  valueText: string;
  zoomBy: (factor: number) => void;
};

const STEP_METERS = 10;
const PAGE_METERS = 100;
export const ZOOM_STEP = 0.5;

/** The axis of the distance, which is the slider of the cursor: arrows move it 10 m, Page Up and Page Down 100 m. */
export function ChartAxis({ slider, meters, cursor, valueText, zoomBy }: ChartAxisProps) {
  const { range, index, moveTo } = cursor;
  const here = entry(meters, index);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = KEY_STEPS[event.key];
    if (step !== undefined) moveTo(Math.min(Math.max(here + step, range[0]), range[1]));
    else if (event.key === '+' || event.key === '=') zoomBy(ZOOM_STEP);
    else if (event.key === '-') zoomBy(1 / ZOOM_STEP);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles['axis']}>
      <input
        ref={slider}
        type="range"
        className={styles['slider']}
        aria-label="Position along the lap"
        data-lap-slider
        aria-valuetext={valueText}
        min={range[0]}
        max={range[1]}
        step="any"
        value={here}
        onChange={(event) => moveTo(event.currentTarget.valueAsNumber)}
        onKeyDown={onKeyDown}
      />
      <AxisLabels range={range} />
    </div>
  );
}

const KEY_STEPS: Partial<Record<string, number>> = {
  ArrowLeft: -STEP_METERS,
  ArrowDown: -STEP_METERS,
  ArrowRight: STEP_METERS,
  ArrowUp: STEP_METERS,
  PageDown: -PAGE_METERS,
  PageUp: PAGE_METERS,
};

const LABEL_PX = 64;

function AxisLabels({ range: [from, to] }: { range: Range }) {
  const row = useRef<HTMLDivElement>(null);
  const widthPx = useWidth(row);
  const unitMeters = metersPerUnit();
  const step =
    unitMeters * chooseStep((to - from) / unitMeters / Math.max(2, Math.floor(widthPx / LABEL_PX)));
  const first = Math.ceil(from / step) * step;
  const labels = Array.from(
    { length: Math.floor((to - first) / step) + 1 },
    (_, count) => first + count * step,
  );
  // The last one is the end of the lap, so the one before it needs room.
  const shown = [...labels.filter((meters) => to - meters > step * 0.6), to];
  return (
    <div ref={row} className={styles['labels']} aria-hidden="true">
      {shown.map((meters) => (
        <span key={meters} style={{ left: `${((meters - from) / (to - from)) * 100}%` }}>
          {formatCount(Math.round(meters / unitMeters))}
          {meters === 0 && ` ${lengthUnit()}`}
        </span>
      ))}
    </div>
  );
}

function chooseStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10);
}

/** Returns the width of an element in pixels; 0 before the browser has measured it. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [widthPx, setWidthPx] = useState(0);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([observed]) => setWidthPx(observed?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return widthPx;
}
