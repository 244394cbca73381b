import { useEffect, useRef, useState } from 'react';
import { observeNearViewport } from '#web/ui/use-near-viewport.ts';

/** Says whether a group is near the window. `ref` is for its element, `heightPx` for the empty one in its place. */
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
