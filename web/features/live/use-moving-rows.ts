import { useLayoutEffect, useRef, type RefObject } from 'react';

const MOVE_MS = 240;

/**
 * Lets the children of an element with `data-row` glide to their new places when their order changes, unless the reader wants less
 * motion.
 */
export function useMovingRows<E extends HTMLElement>(): RefObject<E | null> {
  const parent = useRef<E>(null);
  const tops = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const next = new Map<string, number>();
    for (const row of parent.current?.querySelectorAll<HTMLElement>(':scope > [data-row]') ?? []) {
      // At other widths the rows are not rendered, and have no place.
      if (row.offsetParent === null) continue;
      const key = row.dataset['row'] ?? '';
      next.set(key, row.offsetTop);
      const movedBy = (tops.current.get(key) ?? row.offsetTop) - row.offsetTop;
      if (movedBy === 0 || isStill) continue;
      row.animate([{ transform: `translateY(${movedBy}px)` }, { transform: 'none' }], {
        duration: MOVE_MS,
        easing: 'cubic-bezier(0.2, 0, 0, 1)',
      });
    }
    tops.current = next;
  });
  return parent;
}
