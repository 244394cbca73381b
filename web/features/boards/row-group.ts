import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { watchNearness } from '#web/ui/use-near-viewport.ts';

type Measured = { windowWidthPx: number; heightPx: number };

// By the rows themselves, which are the same object for as long as nothing on them changes, on and off the page.
const measured = new WeakMap<object, Measured>();

/**
 * Whether a part of a board is near enough to the window to have its rows drawn. Give `ref` to its element, and the height,
 * which is undefined before it was ever measured, to the place that is left when they are not.
 */
export function useRowGroup(rows: object) {
  const ref = useRef<HTMLTableSectionElement>(null);
  const [isNear, setIsNear] = useState(false);

  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    return watchNearness(element, (isNearNow) => {
      // The rows are about to go; not, though, from under whoever is on one of them with the keyboard.
      if (!isNearNow) measure(rows, element);
      if (isNearNow || !element.contains(document.activeElement)) setIsNear(isNearNow);
    });
  }, [rows]);

  // So that whoever opens a driver and comes back finds every row where it was.
  useLayoutEffect(() => {
    const element = ref.current;
    return () => measure(rows, element);
  }, [rows]);

  return { ref, isNear, heightPx: knownHeightPx(rows) };
}

/** Rows wrap differently in a window of another width. */
function knownHeightPx(rows: object): number | undefined {
  const known = measured.get(rows);
  return known?.windowWidthPx === window.innerWidth ? known.heightPx : undefined;
}

function measure(rows: object, element: Element | null): void {
  if (!element?.hasChildNodes()) return;
  measured.set(rows, {
    windowWidthPx: window.innerWidth,
    heightPx: element.getBoundingClientRect().height,
  });
}
