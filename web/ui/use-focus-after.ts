import { useLayoutEffect, type RefObject } from 'react';

/**
 * Focuses an element when the component is gone and with it what had the focus: a dialog whose opener is gone too, or a row. It happens
 * in the same turn, so no key that is pressed meanwhile goes astray.
 */
export function useFocusAfter(target: RefObject<HTMLElement | null> | undefined): void {
  useLayoutEffect(
    () => () => {
      // The component is still on the page here.
      if (isFocusLost()) return;
      queueMicrotask(() => focusIfLost(target));
      // The opener of a dialog, which has the focus again, may go right after it.
      setTimeout(focusIfLost, 0, target);
    },
    [target],
  );
}

function focusIfLost(target: RefObject<HTMLElement | null> | undefined): void {
  if (isFocusLost()) target?.current?.focus();
}

function isFocusLost(): boolean {
  return document.activeElement === document.body;
}
