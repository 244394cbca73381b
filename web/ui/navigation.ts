import { useEffect, useLayoutEffect } from 'react';
import { useLocation } from 'wouter';

let navigations = 0;
let lastWasHistory = false;

/** Returns true if another page was opened since the application was loaded. */
export function hasNavigated(): boolean {
  return navigations > 0;
}

/** Scrolls to the top of every new page. Back and forward restore the position; a new query alone keeps it. */
export function useScrollToTop(): void {
  const [path] = useLocation();

  useEffect(() => {
    const onHistory = () => {
      lastWasHistory = true;
    };
    window.addEventListener('popstate', onHistory);
    return () => window.removeEventListener('popstate', onHistory);
  }, []);

  useLayoutEffect(() => {
    if (firstPath === undefined) firstPath = path;
    else if (path !== currentPath) navigations += 1;
    if (navigations > 0 && !lastWasHistory) window.scrollTo(0, 0);
    lastWasHistory = false;
    currentPath = path;
  }, [path]);
}

let firstPath: string | undefined;
let currentPath: string | undefined;
