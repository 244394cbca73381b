import type { QueryClient } from '@tanstack/react-query';
import type { AroundNavHandler } from 'wouter';
import { loadPage, prefetchPage } from './routes.tsx';

// Data that take longer are waited for on the new page, which says so.
const DATA_PATIENCE_MS = 150;

/** Keeps the page on screen until the next one can be shown, while its chunk and its first data are loaded together. */
export function keepPageUntilNext(queryClient: QueryClient): AroundNavHandler {
  let latest = 0;
  return (navigate, to, options) => {
    const { href, pathname } = window.location;
    const turn = ++latest;
    if (new URL(to, href).pathname === pathname) return navigate(to, options);
    const prefetched = prefetchPage(to, queryClient);
    const waited = loadPage(to).then(() => new Promise((resolve) => setTimeout(resolve, DATA_PATIENCE_MS)));
    // The reader may go elsewhere in the meantime, or back. What goes wrong is said on the next page.
    const goOn = () => turn === latest && window.location.href === href && navigate(to, options);
    void Promise.race([prefetched, waited]).then(goOn, goOn);
  };
}

/** Loads the page behind a link as soon as the reader turns to it. */
export function preloadLinkedPages(): void {
  for (const type of ['pointerover', 'focusin', 'touchstart']) {
    document.addEventListener(type, ({ target }) => preload(target), { passive: true });
  }
}

function preload(target: EventTarget | null): void {
  const link = target instanceof Element ? target.closest('a') : null;
  if (link?.origin === window.location.origin) loadPage(link.pathname).catch(() => undefined);
}
