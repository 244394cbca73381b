import { useEffect, type RefObject } from 'react';

/** Focuses an element when a dialog is gone and so is the element that opened it, to which the browser would return it. */
export function useFocusAfter(target: RefObject<HTMLElement | null> | undefined): void {
  useEffect(
    () => () => {
      if (document.activeElement === document.body) target?.current?.focus();
    },
    [target],
  );
}
