import { useRef, type PointerEvent } from 'react';
import type { PlanePoint } from '#engine/geo.ts';

type Gestures = {
  onPan: (byX: number, byY: number) => void;
  onZoom: (factor: number, pixel: PlanePoint) => void;
};

type PointerHandler = (event: PointerEvent) => void;

/** Handles the pointers of the map: one moves it, two pinch it. */
export function useMapGestures({ onPan, onZoom }: Gestures): {
  onPointerDown: PointerHandler;
  onPointerMove: PointerHandler;
  onPointerUp: PointerHandler;
  onPointerCancel: PointerHandler;
} {
  const pointers = useRef(new Map<number, PlanePoint>());

  function move(event: PointerEvent): void {
    const before = pointers.current.get(event.pointerId);
    if (before === undefined) return;
    const now = getPixel(event);
    const [other] = [...pointers.current].flatMap(([id, point]) => (id === event.pointerId ? [] : [point]));
    pointers.current.set(event.pointerId, now);
    if (other === undefined) {
      onPan(now.x - before.x, now.y - before.y);
      return;
    }
    const center = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    onPan((now.x - before.x) / 2, (now.y - before.y) / 2);
    const apart = distance(before, other);
    if (apart > 0) onZoom(distance(now, other) / apart, center);
  }

  const letGo: PointerHandler = ({ pointerId }) => void pointers.current.delete(pointerId);
  return {
    onPointerDown: (event) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      pointers.current.set(event.pointerId, getPixel(event));
    },
    onPointerMove: move,
    onPointerUp: letGo,
    onPointerCancel: letGo,
  };
}

/** Returns the pixel of a pointer, from the upper left corner of the map. */
export function getPixel({ currentTarget, clientX, clientY }: PointerEvent): PlanePoint {
  const { left, top } = (currentTarget.closest('svg') ?? currentTarget).getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

function distance(one: PlanePoint, other: PlanePoint): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
