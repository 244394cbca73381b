import type { PointerEvent } from 'react';
import type { PlanePoint, Position } from '#engine/geo.ts';
import type { TimingLine } from '#engine/timing-line.ts';
import { classNames } from '#web/ui/class-names.ts';
import styles from './track-map.module.css';
import { getPixel } from './use-map-gestures.ts';

/** The dragged part of a line: all of it, or its left or right end. */
export type LineGrip = 'line' | 'a' | 'b';

type LineHandlesProps = {
  line: TimingLine;
  kind: 'start' | 'finish' | 'sector';
  isSelected: boolean;
  project: (position: Position) => PlanePoint;
  onSelect: () => void;
  onDrag: (grip: LineGrip, pixel: PlanePoint) => void;
};

/** The drawn line is longer than the real one on a small map, where thirty metres would be a dot. */
const HALF_PIXELS_MIN = 11;
/** A thumb needs a grip of 44 pixels. */
const GRIP_PIXELS = 22;

/** Shows a line on a map: it is dragged along the path, and the grips of the selected one drag its ends. */
export function LineHandles({ line, kind, isSelected, project, onSelect, onDrag }: LineHandlesProps) {
  const [a, b] = [project(line.a), project(line.b)];
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const right = { x: (b.x - a.x) / length, y: (b.y - a.y) / length };
  // On the screen, y grows downwards: forward is the direction to the right end, turned to the left.
  const forward = { x: right.y, y: -right.x };
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  const half = Math.max(HALF_PIXELS_MIN, length / 2);
  const at = (ahead: number, aside: number): PlanePoint => ({
    x: middle.x + ahead * forward.x + aside * right.x,
    y: middle.y + ahead * forward.y + aside * right.y,
  });
  const [left, end] = [at(0, -half), at(0, half)];
  const hasEndGrips = isSelected && length / 2 > GRIP_PIXELS;

  return (
    <g className={classNames(styles['line'], styles[kind], isSelected && styles['selected'])}>
      <polyline points={`${write(left)} ${write(end)}`} className={styles['stroke']} />
      {kind !== 'sector' && <polygon points={`${write(at(20, 0))} ${write(at(8, -5))} ${write(at(8, 5))}`} />}
      <polyline
        points={`${write(left)} ${write(end)}`}
        className={styles['grip']}
        data-line={kind}
        {...dragged((pixel) => onDrag('line', pixel), onSelect)}
      />
      {hasEndGrips &&
        (['a', 'b'] as const).map((grip) => {
          const { x, y } = grip === 'a' ? left : end;
          return (
            <g key={grip} {...dragged((pixel) => onDrag(grip, pixel), onSelect)}>
              <circle cx={x} cy={y} r={GRIP_PIXELS} className={styles['grip']} />
              <circle cx={x} cy={y} r={6} className={styles['end']} />
            </g>
          );
        })}
    </g>
  );
}

function write({ x, y }: PlanePoint): string {
  return `${x.toFixed(1)},${y.toFixed(1)}`;
}

/** Handles a drag without moving the map below. */
function dragged(onDrag: (pixel: PlanePoint) => void, onGrab: () => void) {
  return {
    onPointerDown: (event: PointerEvent<SVGElement>) => {
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      onGrab();
    },
    onPointerMove: (event: PointerEvent<SVGElement>) => {
      if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
      event.stopPropagation();
      onDrag(getPixel(event));
    },
  };
}
