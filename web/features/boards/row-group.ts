import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { observeNearViewport } from '#web/ui/use-near-viewport.ts';

type Measured = { windowWidthPx: number; heightPx: number };

// Keyed by the array of rows, which stays the same for as long as nothing in it changes, on this page and after leaving it.
const measured = new WeakMap<object, Measured>();

/**
 * Whether a group of rows is near enough to the window to be rendered. Give `ref` to its element, and `heightPx` to the empty
 * element that replaces it; it is undefined until the group was measured.
 */
export function useRowGroup(rows: object) {
  const ref = useRef<HTMLTableSectionElement>(null);
  const [isNear, setIsNear] = useState(false);

  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    return observeNearViewport(element, (isNearNow) => {
      if (!isNearNow) measure(rows, element);
      // A row that has the focus stays.
      if (isNearNow || !element.contains(document.activeElement)) setIsNear(isNearNow);
    });
  }, [rows]);

  // Every row is found at the same height when the page is opened again.
  useLayoutEffect(() => {
    const element = ref.current;
    return () => measure(rows, element);
  }, [rows]);

  return { ref, isNear, heightPx: findHeightPx(rows) };
}

/** Rows wrap differently in a window of another width. */
function findHeightPx(rows: object): number | undefined {
  const known = measured.get(rows);
  if (!known) return undefined;
  return known.windowWidthPx === window.innerWidth ? known.heightPx : undefined;
}

function measure(rows: object, element: Element | null): void {
  if (!element?.hasChildNodes()) return;
  measured.set(rows, {
    windowWidthPx: window.innerWidth,
    heightPx: element.getBoundingClientRect().height,
  });
}
