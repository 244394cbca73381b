import { useLayoutEffect, type RefObject } from 'react';

/**
 * Focuses an element when the component is gone and with it what had the focus: a dialog whose opener is gone too, or a row. It happens
 * in the same turn, so no key that is pressed meanwhile goes astray.
 */
export function useFocusAfter(target: RefObject<HTMLElement | null> | undefined): void {
  useLayoutEffect(
    () => () => {
      // The component is still on the page here.
      const hadFocus = document.activeElement !== document.body;
      queueMicrotask(() => {
        if (hadFocus && document.activeElement === document.body) target?.current?.focus();
      });
    },
    [target],
  );
}
