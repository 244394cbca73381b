import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { apiQuery, createQueryClient } from './api/api-query.ts';
import { currentUserQuery } from './api/current-user.ts';
import { Routes } from './routes.tsx';
import { reloadOnceOnMissingChunk } from './shell/reload-once.ts';
import { Shell } from './shell/shell.tsx';
import './ui/base.css';
import './ui/tokens.css';

reloadOnceOnMissingChunk();

const queryClient = createQueryClient();
// Under way before anything is drawn: nearly every page waits for it.
void queryClient.prefetchQuery(currentUserQuery);
// The pages that most visits begin with would ask for it once their own chunk has come.
if (['/', '/leaderboards'].includes(window.location.pathname)) {
  void queryClient.prefetchQuery(apiQuery('GET /api/tracks'));
}

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element with the id root.');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Shell>
        <Routes />
      </Shell>
    </QueryClientProvider>
  </StrictMode>,
);
