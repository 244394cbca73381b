import type { QueryClient } from '@tanstack/react-query';
import type { AroundNavHandler } from 'wouter';
import { loadPage, prefetchPage, showsOther } from './routes.tsx';

// If data take longer, the new page opens and waits for them visibly.
const DATA_PATIENCE_MS = 150;

// A pointer that only crosses a link has left it by then.
const HOVER_DWELL_MS = 60;

/** Keeps the page on screen until the next one, or an opened lap, can be shown, while its chunk and its first data are loaded together. */
export function keepPageUntilNext(queryClient: QueryClient): AroundNavHandler {
  let latest = 0;
  return (navigate, to, options) => {
    const { href, pathname, search } = window.location;
    const turn = ++latest;
    const target = new URL(to, href);
    if (!showsOther(target.pathname + target.search, pathname + search)) return navigate(to, options);
    const prefetched = prefetchPage(to, queryClient);
    const waited = loadPage(to).then(() => new Promise((resolve) => setTimeout(resolve, DATA_PATIENCE_MS)));
    // The reader may go to another page in the meantime, or back. The next page reports failures.
    const goOn = () => turn === latest && window.location.href === href && navigate(to, options);
    void Promise.race([prefetched, waited]).then(goOn, goOn);
  };
}

/** Loads the page behind a link when the reader turns to it, and its data once the pointer stays or is pressed. */
export function preloadLinkedPages(queryClient: QueryClient): void {
  let dwellTimer: number | undefined;
  const prefetch = (path: string) => void prefetchPage(path, queryClient).catch(() => undefined);
  onPageLink('focusin', load);
  onPageLink('touchstart', load);
  onPageLink('pointerdown', prefetch);
  onPageLink('pointerover', (path) => {
    load(path);
    window.clearTimeout(dwellTimer);
    dwellTimer = window.setTimeout(() => prefetch(path), HOVER_DWELL_MS);
  });
  document.addEventListener('pointerout', () => window.clearTimeout(dwellTimer), { passive: true });
}

function load(path: string): void {
  loadPage(path).catch(() => undefined);
}

function onPageLink(type: string, react: (path: string) => void): void {
  const onEvent = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null;
    if (link && isPageLink(link)) react(link.pathname + link.search);
  };
  document.addEventListener(type, onEvent, { passive: true });
}

/** Returns true if a link leads to another URL of the application, in this tab. */
function isPageLink({ origin, pathname, search, target }: HTMLAnchorElement): boolean {
  const { location } = window;
  const isOurs = origin === location.origin && !pathname.startsWith('/api/');
  return isOurs && target === '' && pathname + search !== location.pathname + location.search;
}
