import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react';
import { pinchRange, wheelFactor, zoomRange, type Range } from './zoom.ts';

type GestureTarget = {
  range: Range;
  /** Gets the distance along the lap under the pointer. */
  onPoint: (meters: number) => void;
  onZoom: (range: Range) => void;
};

/** A selection that the mouse makes on the charts, as shares of the width from 0 to 1. */
export type Selection = { from: number; to: number };

/** Less than this is a click with an unsteady hand. */
const DRAG_MIN_SHARE = 0.015;

/**
 * Handles the pointer on the charts: a mouse or one finger moves the cursor, dragging the mouse zooms to the selection,
 * and two fingers zoom and move. Pinching on a touchpad zooms, too, and a double click shows the whole lap. The browser
 * keeps vertical scrolling.
 */
export function useChartGestures(surface: RefObject<HTMLElement | null>, target: GestureTarget) {
  const latest = useRef(target);
  const fingers = useRef(new Map<number, number>());
  const pinch = useRef<{ range: Range; down: [number, number] }>(null);
  const [selection, setSelection] = useState<Selection | null>(null);
  useEffect(() => {
    latest.current = target;
  });
  useEffect(() => listenForPinchingWheel(surface.current, latest), [surface]);

  const toMeters = (share: number) => {
    const [from, to] = target.range;
    return from + Math.min(1, Math.max(0, share)) * (to - from);
  };

  function onPointerDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    const share = getShare(event);
    event.currentTarget.setPointerCapture(event.pointerId);
    if (event.pointerType === 'mouse') setSelection({ from: share, to: share });
    else fingers.current.set(event.pointerId, share);
    const [first, second] = [...fingers.current.values()];
    pinch.current =
      first === undefined || second === undefined ? null : { range: target.range, down: [first, second] };
    target.onPoint(toMeters(share));
  }

  function onPointerMove(event: PointerEvent): void {
    const share = getShare(event);
    if (fingers.current.has(event.pointerId)) fingers.current.set(event.pointerId, share);
    const [first, second] = [...fingers.current.values()];
    if (pinch.current && first !== undefined && second !== undefined) {
      const range = pinchRange(pinch.current.range, pinch.current.down, [first, second]);
      if (range) target.onZoom(range);
      return;
    }
    if (selection) setSelection({ ...selection, to: share });
    target.onPoint(toMeters(share));
  }

  function onPointerEnd(event: PointerEvent): void {
    fingers.current.delete(event.pointerId);
    pinch.current = null;
    setSelection(null);
    if (event.type === 'pointerup' && selection && isDragged(selection)) {
      const ends = [toMeters(selection.from), toMeters(selection.to)];
      target.onZoom([Math.min(...ends), Math.max(...ends)]);
    }
  }

  return {
    selection: selection && isDragged(selection) ? selection : null,
    handlers: { onPointerDown, onPointerMove, onPointerUp: onPointerEnd, onPointerCancel: onPointerEnd },
  };
}

function isDragged({ from, to }: Selection): boolean {
  return Math.abs(to - from) >= DRAG_MIN_SHARE;
}

function getShare({ clientX, currentTarget }: PointerEvent): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return (clientX - left) / Math.max(1, width);
}

// React listens to the wheel passively, so the browser would zoom the page.
function listenForPinchingWheel(surface: HTMLElement | null, latest: RefObject<GestureTarget>) {
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey || !surface) return;
    event.preventDefault();
    const { left, width } = surface.getBoundingClientRect();
    const { range, onZoom } = latest.current;
    const around = range[0] + ((event.clientX - left) / Math.max(1, width)) * (range[1] - range[0]);
    onZoom(zoomRange(range, around, wheelFactor(event.deltaY)));
  };
  surface?.addEventListener('wheel', onWheel, { passive: false });
  return () => surface?.removeEventListener('wheel', onWheel);
}
