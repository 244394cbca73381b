import { hydrate } from '@tanstack/react-query';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { PAGE_DATA_ID } from '#contract/pages.ts';
import { createQueryClient } from './api/api-query.ts';
import { followOtherTabs } from './api/refresh.ts';
import { App } from './app.tsx';
import { keepPageUntilNext, preloadLinkedPages } from './page-loading.ts';
import { loadPage, prefetchPage } from './routes.tsx';
import './ui/base.css';
import './ui/tokens.css';

const queryClient = createQueryClient();
followOtherTabs(queryClient);
hydrate(queryClient, JSON.parse(document.getElementById(PAGE_DATA_ID)?.textContent ?? '{}'));
preloadLinkedPages(queryClient);
const root = document.getElementById('root');
if (!root) throw new Error('The page has no element with the id root.');
void start(root);

/** Hydrates the page that the server rendered; renders it where another server sent the empty document. */
async function start(root: HTMLElement): Promise<void> {
  const address = window.location.pathname + window.location.search;
  // Whatever did not come with the page.
  void prefetchPage(address, queryClient, history.state).catch(() => undefined);
  const isLoaded = await loadPage(address).then(
    () => true,
    () => false, // renders the shell, which says that the page could not be shown
  );
  const app = (
    <App
      queryClient={queryClient}
      router={{ aroundNav: keepPageUntilNext(queryClient) }}
      // For stories in a browser, which must not press anything before.
      onReady={() => root.toggleAttribute('data-ready', true)}
    />
  );
  // In a transition React hydrates in small steps, between which the browser answers the reader.
  if (isLoaded && root.firstElementChild) startTransition(() => void hydrateRoot(root, app));
  else createRoot(root).render(app);
}
