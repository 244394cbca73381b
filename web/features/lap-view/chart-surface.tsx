import { useRef } from 'react';
import { useChartGestures } from './chart-gestures.ts';
import styles from './lap-charts.module.css';
import type { Range } from './zoom.ts';

type ChartSurfaceProps = {
  meters: number;
  range: Range;
  onPoint: (meters: number) => void;
  onZoom: (range: Range) => void;
  onPick: () => void;
  onWhole: () => void;
};

/** Lies over both charts: the cursor, and what the pointer does. */
export function ChartSurface({ meters, range, onPoint, onZoom, onPick, onWhole }: ChartSurfaceProps) {
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
