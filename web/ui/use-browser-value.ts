import { useEffect, useLayoutEffect, useState } from 'react';

/** Calls `onChange` after a change of the value; returns what ends it. */
type Subscribe = (onChange: () => void) => () => void;

const neverChanges: Subscribe = () => () => undefined;

/**
 * Returns what only the browser knows. On the server, and until the page of the server has been hydrated, it is `served`: hydration
 * takes the elements of the server as they are, so it must begin with the same values.
 */
export function useBrowserValue<Value>(
  read: () => Value,
  served: Value,
  subscribe: Subscribe = neverChanges,
): Value {
  const [value, setValue] = useState(() => (isHydrated() ? read() : served));
  useLayoutEffect(() => {
    const update = () => setValue(() => read());
    update();
    return subscribe(update);
    // oxlint-disable-next-line react/exhaustive-deps -- What is read changes only with what it subscribes to.
  }, [subscribe]);
  return value;
}

/** Returns what the browser answers when it is asked, and `before` until then. */
export function useBrowserAnswer<Value>(ask: () => Promise<Value>, before: Value): Value {
  const [value, setValue] = useState(before);
  useEffect(() => {
    let isShown = true;
    void ask().then((answer) => isShown && setValue(() => answer));
    return () => {
      isShown = false;
    };
  }, [ask]);
  return value;
}

/** Returns true once the page in the browser reacts. */
export function isHydrated(): boolean {
  return typeof document !== 'undefined' && document.querySelector('#root[data-ready]') !== null;
}
