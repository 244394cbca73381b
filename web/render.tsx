import { dehydrate } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import type { PageRenderer } from '#contract/pages.ts';
import { apiQuery, createQueryClient } from './api/api-query.ts';
import { App } from './app.tsx';
import { prefetchPage } from './routes.tsx';

export { sendCallsThrough } from './api/call-api.ts';

/** Renders a page with the data that have come within `patienceMs`; the browser asks for the rest. */
export const renderPage: PageRenderer['renderPage'] = async ({ path, search, formats, patienceMs }) => {
  const queryClient = createQueryClient();
  const prefetched = Promise.allSettled([
    prefetchPage(path + search, queryClient),
    queryClient.prefetchQuery(apiQuery('GET /api/demo')),
  ]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([prefetched, new Promise((resolve) => (timer = setTimeout(resolve, patienceMs)))]);
  clearTimeout(timer);
  // Failed and late data are removed, because the browser first renders the page without them.
  queryClient.removeQueries({ predicate: ({ state }) => state.status !== 'success' });
  const html = renderToString(
    <App queryClient={queryClient} formats={formats} router={{ ssrPath: path, ssrSearch: search }} />,
  );
  return { html, data: dehydrate(queryClient) };
};
