import { useEffect, useLayoutEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { isHydrated } from './use-browser-value.ts';

let navigations = 0;
let isHistory = false;

// The router listens as well, and renders the page at once. So this listener has to be added before any component is.
if (typeof window !== 'undefined') {
  window.addEventListener('popstate', () => {
    isHistory = true;
  });
}

/** Returns true if another page was opened since the application was loaded. */
export function hasNavigated(): boolean {
  return navigations > 0;
}

/** Returns true while a page is rendered that Back or Forward has opened: it needs its whole height to restore the scroll position. */
export function isRestored(): boolean {
  return isHistory;
}

/** Scrolls to the top of every new page. Back and forward restore the position; a new query alone keeps it. */
export function useScrollToTop(): void {
  const [path] = useLocation();
  const search = useSearch();

  useLayoutEffect(() => {
    if (currentPath !== undefined && path !== currentPath) {
      navigations += 1;
      if (!isHistory) window.scrollTo(0, 0);
    }
    isHistory = false;
    currentPath = path;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- Back to another query is over once that is rendered.
  }, [path, search]);
}

let currentPath: string | undefined;

/**
 * Returns whether what is below the first screen of a page has to be rendered by now: with the second frame of a page that a click
 * has opened, so that its first screen comes earlier. The server's page and restored ones are rendered as a whole.
 */
export function useRestOfPage(): boolean {
  const [isRendered, setRendered] = useState(() => !isHydrated() || isRestored());
  useEffect(() => {
    let timer: number | undefined;
    // The task that follows a frame comes after its painting.
    const frame = requestAnimationFrame(() => (timer = window.setTimeout(() => setRendered(true))));
    return () => {
      cancelAnimationFrame(frame);
      window.clearTimeout(timer);
    };
  }, []);
  return isRendered;
}
