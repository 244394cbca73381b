import { useMediaQuery } from '#web/ui/use-media-query.ts';

/** The width in the media queries of the styles of this folder. */
const PHONE = '(max-width: 760px)';

/**
 * Returns whether the page is as narrow as on a phone, where its parts have another order. The server's page has that order in
 * the document; the styles show the right one before the scripts come.
 */
export function useIsPhone(): boolean {
  return useMediaQuery(PHONE, true);
}
