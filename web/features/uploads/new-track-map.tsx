import { useMemo, type PointerEvent } from 'react';
import type { TimingLine } from '#engine/timing-line.ts';
import type { OutlinePoint, Track } from '#engine/track.ts';
import { planeAround, toPlane, type Position } from '#engine/geo.ts';
import styles from './new-track.module.css';

type NewTrackMapProps = {
  /** Stays the same while the line is moved. */
  outline: readonly OutlinePoint[];
  track: Track;
  /** Called with the point of the outline that is nearest to the pointer; missing where the line stays. */
  onMove?: ((outlineIndex: number) => void) | undefined;
};

const SIZE = 320;
const HEIGHT_MIN = 140;
const PADDING = 24;

/** The way of the laps from above, with the lines across it. The line follows the pointer, square to the drive. */
export function NewTrackMap({ outline, track, onMove }: NewTrackMapProps) {
  const drawing = useMemo(() => layOut(outline), [outline]);
  const path = drawing.points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');

  function move(event: PointerEvent<SVGSVGElement>): void {
    if (onMove === undefined || event.buttons === 0) return;
    const matrix = event.currentTarget.getScreenCTM();
    if (matrix === null) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const distances = drawing.points.map(({ x, y }) => Math.hypot(x - at.x, y - at.y));
    onMove(distances.indexOf(Math.min(...distances)));
  }

  const Way = track.finishLine ? 'polyline' : 'polygon';
  return (
    <svg
      className={styles['map']}
      viewBox={`0 0 ${SIZE} ${drawing.height}`}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        move(event);
      }}
      onPointerMove={move}
    >
      <Way points={path} className={styles['way']} />
      {track.sectors.map((sector) => (
        <LineAcross key={sector.name} line={sector} place={drawing.place} className={styles['sector']} />
      ))}
      <LineAcross line={track.finishLine ?? null} place={drawing.place} className={styles['finish']} />
      <LineAcross line={track.startFinishLine} place={drawing.place} className={styles['start']} hasArrow />
    </svg>
  );
}

type LineAcrossProps = {
  line: TimingLine | null;
  place: (position: Position) => Point;
  className: string | undefined;
  hasArrow?: boolean;
};

/** Longer than in truth: a line of thirty metres would be a dot. */
const HALF_LENGTH = 11;

function LineAcross({ line, place, className, hasArrow = false }: LineAcrossProps) {
  if (line === null) return null;
  const [a, b] = [place(line.a), place(line.b)];
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const right = { x: (b.x - a.x) / length, y: (b.y - a.y) / length };
  // On the screen, y grows downwards: forward is the right end turned to the left.
  const forward = { x: right.y, y: -right.x };
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  const point = (ahead: number, aside: number) =>
    `${middle.x + ahead * forward.x + aside * right.x},${middle.y + ahead * forward.y + aside * right.y}`;
  return (
    <g className={className}>
      <polyline points={`${point(0, -HALF_LENGTH)} ${point(0, HALF_LENGTH)}`} />
      {hasArrow && <polygon points={`${point(20, 0)} ${point(8, -5)} ${point(8, 5)}`} />}
    </g>
  );
}

type Point = { x: number; y: number };

/** Fits an outline into the drawing, north up. */
function layOut(outline: readonly OutlinePoint[]) {
  const [first = [0, 0]] = outline;
  const plane = planeAround({ lat: first[0], lon: first[1] });
  const raw = outline.map(([lat, lon]) => toPlane(plane, { lat, lon }));
  const [xs, ys] = [raw.map(({ x }) => x), raw.map(({ y }) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
  const scale = (SIZE - 2 * PADDING) / Math.max(right - left, top - bottom, 1);
  const height = Math.max(HEIGHT_MIN, (top - bottom) * scale + 2 * PADDING);
  const place = (position: Position): Point => {
    const { x, y } = toPlane(plane, position);
    return {
      x: SIZE / 2 + (x - (left + right) / 2) * scale,
      y: height / 2 - (y - (bottom + top) / 2) * scale,
    };
  };
  return { place, height, points: outline.map(([lat, lon]) => place({ lat, lon })) };
}
