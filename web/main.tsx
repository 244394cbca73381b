import { hydrate } from '@tanstack/react-query';
import { options } from 'preact';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { PAGE_DATA_ID } from '#contract/pages.ts';
import { createQueryClient } from './api/api-query.ts';
import { followOtherTabs } from './api/refresh.ts';
import { App } from './app.tsx';
import { keepPageUntilNext, preloadLinkedPages } from './page-loading.ts';
import { loadPage, prefetchPage } from './routes.tsx';
import { startServiceWorker } from './shell/service-worker.ts';
import './ui/base.css';
import './ui/tokens.css';

// Effects run right after the rendering to which they belong, so that nothing that is pressed or typed comes in between.
options.requestAnimationFrame = queueMicrotask;

const queryClient = createQueryClient();
followOtherTabs(queryClient);
const pageData = JSON.parse(document.getElementById(PAGE_DATA_ID)?.textContent ?? '{}');
hydrate(queryClient, pageData);
preloadLinkedPages(queryClient);
const root = document.getElementById('root');
if (!root) throw new Error('The page has no element with the id root.');
void start(root);

/** Hydrates the page that the server rendered; renders it where it could not, and sent the empty document. */
async function start(root: HTMLElement): Promise<void> {
  const url = window.location.pathname + window.location.search;
  const isRendered = root.firstElementChild !== null;
  // The data that did not come with the page are fetched after hydration: earlier they would make the page differ from
  // the server's.
  const prefetch = () => void prefetchPage(url, queryClient, history.state).catch(() => undefined);
  if (!isRendered) prefetch();
  const isLoaded = await loadPage(url).then(
    () => true,
    () => false, // The shell says that the page could not be shown.
  );
  const formats = pageData.formats ?? (await import('./ui/browser-formats.ts')).readBrowserFormats();
  const applyEarlyChoices = collectEarlyChoices(root);
  const app = (
    <App
      queryClient={queryClient}
      formats={formats}
      router={{ aroundNav: keepPageUntilNext(queryClient) }}
      // Browser tests must not press anything before this.
      onReady={() => {
        root.toggleAttribute('data-ready', true);
        if (isRendered) prefetch();
        if (matchMedia('(display-mode: standalone)').matches) void startServiceWorker();
        void applyEarlyChoices();
      }}
    />
  );
  if (isLoaded && isRendered) hydrateRoot(root, app);
  else createRoot(root).render(app);
}

/** Finds what the reader has chosen in the server's page, whose scripts were still to come; gives what applies it afterwards. */
function collectEarlyChoices(root: HTMLElement): () => Promise<void> {
  const changed = Array.from(root.querySelectorAll('select'), (select) => {
    const served = Array.from(select.options).find(({ defaultSelected }) => defaultSelected);
    return { select, chosen: select.value, served: (served ?? select.options[0])?.value };
  }).filter(({ chosen, served }) => chosen !== served);
  return async () => {
    for (const { select, chosen } of changed) {
      if (!select.isConnected) continue;
      select.value = chosen;
      select.dispatchEvent(new Event('change', { bubbles: true }));
      // Each choice needs the components that the one before it has rendered.
      await new Promise((resolve) => setTimeout(resolve));
    }
  };
}
