import { useEffect, useRef, useState } from 'react';
import { observeNearViewport } from '#web/ui/use-near-viewport.ts';

/**
 * Says whether a group of rows is near enough to the window to be rendered. Give `ref` to its element, and `heightPx` to the empty
 * element that replaces it; it is undefined until the group was rendered.
 */
export function useRowGroup() {
  const ref = useRef<HTMLTableSectionElement>(null);
  const [isNear, setIsNear] = useState(false);
  const [heightPx, setHeightPx] = useState<number>();

  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    return observeNearViewport(element, (isNearNow) => {
      if (!isNearNow && element.hasChildNodes()) setHeightPx(element.getBoundingClientRect().height);
      // A row that has the focus stays.
      if (isNearNow || !element.contains(document.activeElement)) setIsNear(isNearNow);
    });
  }, []);

  return { ref, isNear, heightPx };
}
