import { useSyncExternalStore } from 'react';

const neverChanges = () => () => undefined;

/** Returns what a browser can do, which never changes; `null` on the server and while its page is hydrated. */
export function useInBrowser<Value extends string | number | boolean>(read: () => Value): Value | null {
  return useSyncExternalStore(neverChanges, read, () => null);
}
