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
  const pinch = usePinch(target);
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
    else pinch.begin(event.pointerId, share);
    target.onPoint(toMeters(share));
  }

  function onPointerMove(event: PointerEvent): void {
    const share = getShare(event);
    if (pinch.move(event.pointerId, share)) return;
    if (selection) setSelection({ ...selection, to: share });
    target.onPoint(toMeters(share));
  }

  function onPointerEnd(event: PointerEvent): void {
    pinch.end(event.pointerId);
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

/** Zooms and moves the range with two fingers, each known by its pointer and its share of the width. */
function usePinch({ range, onZoom }: GestureTarget) {
  const fingers = useRef(new Map<number, number>());
  const start = useRef<{ range: Range; down: [number, number] }>(null);

  function findPair(): [number, number] | null {
    const [first, second] = [...fingers.current.values()];
    return first === undefined || second === undefined ? null : [first, second];
  }

  return {
    begin: (pointerId: number, share: number): void => {
      fingers.current.set(pointerId, share);
      const down = findPair();
      start.current = down && { range, down };
    },
    /** Returns true while two fingers are down. */
    move: (pointerId: number, share: number): boolean => {
      if (fingers.current.has(pointerId)) fingers.current.set(pointerId, share);
      const pair = findPair();
      if (!start.current || !pair) return false;
      const pinched = pinchRange(start.current.range, start.current.down, pair);
      if (pinched) onZoom(pinched);
      return true;
    },
    end: (pointerId: number): void => {
      fingers.current.delete(pointerId);
      start.current = null;
    },
  };
}

function isDragged({ from, to }: Selection): boolean {
  return Math.abs(to - from) >= DRAG_MIN_SHARE;
}

function getShare({ clientX, currentTarget }: PointerEvent): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return (clientX - left) / Math.max(1, width);
}

// A passive listener could not keep the browser from zooming the page.
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
