import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { DEMO_BAR_ID } from '#contract/demo-words.ts';
import { apiQuery, createQueryClient } from './api/api-query.ts';
import { currentUserQuery } from './api/current-user.ts';
import { followOtherTabs } from './api/refresh.ts';
import { App } from './app.tsx';
import { loadPage } from './routes.tsx';
import { reloadOnceOnMissingChunk } from './shell/reload-once.ts';
import './shell/demo-bar.css';
import './ui/base.css';
import './ui/tokens.css';

reloadOnceOnMissingChunk();

const queryClient = createQueryClient();
followOtherTabs(queryClient);
const root = document.getElementById('root');
if (!root) throw new Error('The page has no element with the id root.');
const isDrawn = root.firstElementChild !== null;
if (!isDrawn) askEarly();
void start(root);

/** Takes over what the document shows already; draws it where another server sent an empty one. */
async function start(root: HTMLElement): Promise<void> {
  const isLoaded = await loadPage(root.dataset['page']).then(
    () => true,
    () => false, // draws the shell, which says that the page could not be shown
  );
  const repeat = readEarlyInput(root);
  await new Promise<void>((resolve) => {
    const app = <App queryClient={queryClient} onTakenOver={resolve} />;
    // A transition takes over in small steps, between which the browser answers the reader.
    if (isLoaded && isDrawn) startTransition(() => void hydrateRoot(root, app));
    else createRoot(root).render(app);
  });
  // From now on the page answers whoever uses it; until then only its links did.
  delete root.dataset['page'];
  repeat();
  // Not before: answers that it fetches in between would be drawn into a page that the document does not show.
  await connectDemoBar();
}

/**
 * What was pressed and typed while the page was only drawn; the function does it again, now that something listens. React itself
 * keeps what happens between `hydrateRoot` and its end.
 */
function readEarlyInput(root: HTMLElement): () => void {
  const button = root.querySelector<HTMLButtonElement>('button[data-pressed]');
  const field = root.querySelector('input');
  const typed = field?.value ?? '';
  return () => {
    button?.click();
    if (!field || typed === '') return;
    // React tells of a change where the field differs from what it was last set to.
    field.value = '';
    field.setRangeText(typed, 0, 0, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
}

/** Where the server has drawn it: only a demo community has one. */
async function connectDemoBar(): Promise<void> {
  const bar = document.getElementById(DEMO_BAR_ID);
  if (!bar) return;
  const { connect } = await import('./shell/demo-bar.tsx');
  connect(bar, queryClient);
}

function askEarly(): void {
  // Under way before anything is drawn: nearly every page waits for it.
  void queryClient.prefetchQuery(currentUserQuery);
  // The pages that most visits begin with would ask for it once their own chunk has come.
  if (['/', '/leaderboards'].includes(window.location.pathname)) {
    void queryClient.prefetchQuery(apiQuery('GET /api/tracks'));
  }
}
