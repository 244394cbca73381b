import { useCallback } from 'react';
import { useBrowserValue } from './use-browser-value.ts';

/** Returns the current result of a media query; the server, which knows no screen, takes `onServer` for it. */
export function useMediaQuery(query: string, onServer = false): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useBrowserValue(() => window.matchMedia(query).matches, onServer, subscribe);
}
