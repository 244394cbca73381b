import { memo, useMemo } from 'react';
import type { DrawnPoint } from '#engine/drawing/circuit-path.ts';
import { placeNumbers, type NumberedCorner } from './place-numbers.ts';
import styles from './track-map.module.css';

/** The style of a stretch on the map: its colour as in CSS, and dashes for readers who do not see the colour. */
export type MapStroke = { color: string; isDashed?: boolean; isThin?: boolean };

/** A part of the line by its first and last station. */
export type MapPiece = { from: number; to: number; stroke: MapStroke };

/** The box of a map in pixels, and how far numbers keep from its lines. */
export type MapBox = { width: number; height: number; padding: number; clearance: number };

type TrackMapProps = {
  box: MapBox;
  /** The points, one for each station. */
  points: readonly DrawnPoint[];
  pieces: readonly MapPiece[];
  corners: readonly NumberedCorner[];
  cursor: number;
  /** The stretch that the reader looks at. */
  marked: { from: number; to: number; cornerNumber: number | null } | null;
};

/**
 * Draws the lap as a line on the ground, north up, coloured in pieces, with a dot at the cursor; hidden from screen readers,
 * which have the table.
 */
export function TrackMap({ box, points, pieces, corners, cursor, marked }: TrackMapProps) {
  const dot = points[cursor];
  const numbers = useMemo(() => placeNumbers(points, corners, box), [points, corners, box]);
  return (
    <svg className={styles['map']} viewBox={`0 0 ${box.width} ${box.height}`} aria-hidden="true">
      {marked && <path d={drawLine(points.slice(marked.from, marked.to + 1))} className={styles['marked']} />}
      <Pieces points={points} pieces={pieces} />
      <StartLine points={points} />
      {numbers.map(({ number, x, y }) => (
        <text
          key={number}
          x={x}
          y={y}
          className={styles['number']}
          data-current={number === marked?.cornerNumber}
        >
          {number}
        </text>
      ))}
      {dot && <circle cx={dot.x} cy={dot.y} r={6} className={styles['dot']} />}
      <g className={styles['north']}>
        <path d={`M${box.width - 16} 34V14m-5 6l5-6l5 6`} />
        <text x={box.width - 16} y={46}>
          N
        </text>
      </g>
    </svg>
  );
}

// This part does not depend on the cursor, so it is memoized.
const Pieces = memo(function Pieces({ points, pieces }: Pick<TrackMapProps, 'points' | 'pieces'>) {
  return pieces.map(({ from, to, stroke }) => (
    <path
      key={from}
      d={drawLine(points.slice(from, to + 1))}
      className={stroke.isThin ? styles['thin'] : styles['line']}
      style={{ stroke: stroke.color, strokeDasharray: stroke.isDashed ? '5 4' : undefined }}
    />
  ));
});

const TICK_HALF = 8;
const ARROW_AHEAD = 14;

/** Draws the start/finish line across the track, and an arrow in the direction of driving beyond it. */
function StartLine({ points }: { points: readonly DrawnPoint[] }) {
  const [start, next] = [points[0], points[3]];
  if (!start || !next) return null;
  const degrees = (Math.atan2(next.y - start.y, next.x - start.x) * 180) / Math.PI;
  return (
    <g transform={`translate(${start.x.toFixed(1)} ${start.y.toFixed(1)}) rotate(${degrees.toFixed(1)})`}>
      <path d={`M0 ${-TICK_HALF}V${TICK_HALF}`} className={styles['start']} />
      <path d={`M${ARROW_AHEAD} ${TICK_HALF}m-4 0l8 3.5l-8 3.5z`} className={styles['direction']} />
    </g>
  );
}

function drawLine(points: readonly DrawnPoint[]): string {
  return `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`;
}
