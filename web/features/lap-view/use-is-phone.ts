import { useSyncExternalStore } from 'react';

/** The width in the media queries of the styles of this folder. */
const PHONE = '(max-width: 760px)';

/**
 * Tells whether the page is as narrow as on a phone, where its parts have another order. The server's page has that order in
 * the document; the styles show the right one before the scripts come.
 */
export function useIsPhone(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia(PHONE);
      query.addEventListener('change', onChange);
      return () => query.removeEventListener('change', onChange);
    },
    () => window.matchMedia(PHONE).matches,
    () => true,
  );
}
