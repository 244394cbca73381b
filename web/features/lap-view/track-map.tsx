import { memo, type CSSProperties } from 'react';
import type { DrawnPoint } from '#engine/drawing/circuit-path.ts';
import type { Stretch } from './lap-lines.ts';
import styles from './track-map.module.css';

/** The style of a stretch on the map: its colour as in CSS, and dashes for readers who do not see the colour. */
export type MapStroke = { color: string; isDashed?: boolean; isThin?: boolean };

/** A corner of the map with its direction, which decides the side of its number. */
export type MapCorner = { number: number; name: string | null; index: number; direction: 'left' | 'right' };

export const MAP_BOX = { width: 380, height: 260, padding: 24 };

type TrackMapProps = {
  /** The points, one for each station. */
  points: readonly DrawnPoint[];
  stretches: readonly Stretch<MapStroke>[];
  corners: readonly MapCorner[];
  /** The index of the station under the cursor. */
  cursor: number;
};

/**
 * Draws the lap as a line on the ground, coloured in stretches, with a dot at the cursor; hidden from screen readers,
 * which have the tables.
 */
export function TrackMap({ points, stretches, corners, cursor }: TrackMapProps) {
  const dot = points[cursor];
  return (
    <svg className={styles['map']} viewBox={`0 0 ${MAP_BOX.width} ${MAP_BOX.height}`} aria-hidden="true">
      <Lines points={points} stretches={stretches} />
      <CornerNumbers points={points} corners={corners} />
      {dot && <circle cx={dot.x} cy={dot.y} r={6} className={styles['dot']} />}
    </svg>
  );
}

// This part does not depend on the cursor, so it is memoized.
const Lines = memo(function Lines({ points, stretches }: Pick<TrackMapProps, 'points' | 'stretches'>) {
  return stretches.map(({ from, to, value }) => (
    <path
      key={from}
      d={drawLine(points.slice(from, to + 1))}
      className={value.isThin ? styles['thin'] : styles['line']}
      style={
        { stroke: value.color, strokeDasharray: value.isDashed ? '7 5' : undefined } satisfies CSSProperties
      }
    />
  ));
});

const NUMBER_OFFSET = 13;
/** If two corners are closer than this, only the first has its number. */
const NUMBER_ROOM = 13;

const CornerNumbers = memo(function CornerNumbers({
  points,
  corners,
}: Pick<TrackMapProps, 'points' | 'corners'>) {
  const numbers: { number: number; x: number; y: number }[] = [];
  for (const { number, index, direction } of corners) {
    const [here, before, after] = [points[index], points[index - 2], points[index + 2]];
    if (!here || !before || !after) continue;
    const [alongX, alongY] = [after.x - before.x, after.y - before.y];
    const length = Math.hypot(alongX, alongY) || 1;
    // The number is outside of the corner; on a drawing, y grows downwards.
    const side = (direction === 'left' ? NUMBER_OFFSET : -NUMBER_OFFSET) / length;
    const [x, y] = [here.x - alongY * side, here.y + alongX * side];
    if (numbers.every((other) => Math.hypot(other.x - x, other.y - y) >= NUMBER_ROOM))
      numbers.push({ number, x, y });
  }
  return numbers.map(({ number, x, y }) => (
    <text key={number} x={x} y={y} className={styles['number']}>
      {number}
    </text>
  ));
});

type MiniMapProps = { points: readonly DrawnPoint[]; from: number; to: number; size: number };

/** Draws the whole lap in a small size, with a piece of it marked. */
export function MiniMap({ points, from, to, size }: MiniMapProps) {
  return (
    <svg
      className={styles['mini']}
      viewBox={`0 0 ${size} ${size}`}
      width={size}
      height={size}
      aria-hidden="true"
    >
      <path d={drawLine(points.filter((_, index) => index % 3 === 0))} className={styles['whole']} />
      <path d={drawLine(points.slice(from, to + 1))} className={styles['piece']} />
    </svg>
  );
}

function drawLine(points: readonly DrawnPoint[]): string {
  return `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`;
}
