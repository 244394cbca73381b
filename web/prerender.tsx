import { prerender } from 'react-dom/static';
import { PAGES, type PageName } from '#contract/pages.ts';
import { createQueryClient } from './api/api-query.ts';
import { App } from './app.tsx';
import { loadPage } from './routes.tsx';

/** The names of all pages, each with its file as the build's manifest calls it. */
export function listPages(): { name: string; file: string }[] {
  return [...Object.keys(PAGES), 'not-found'].map((name) => ({
    name,
    file: `pages/${name === 'driver' ? 'profile' : name}.tsx`,
  }));
}

/**
 * Draws a page as it is before any answer has come: without a user, without data, in the default theme. Nothing in it may
 * depend on a parameter of its path or on the query, as it is sent for all of them.
 */
export async function drawPage(name: PageName): Promise<string> {
  await loadPage(name);
  const path = name === 'not-found' ? '/no/such/page' : PAGES[name].replaceAll(':', '');
  const { prelude } = await prerender(<App queryClient={createQueryClient()} ssrPath={path} />);
  return new Response(prelude).text();
}
