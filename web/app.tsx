import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { Router } from 'wouter';
import { FirstAnswers } from './api/first-answers.ts';
import { Routes } from './routes.tsx';
import { Shell } from './shell/shell.tsx';

type AppProps = {
  queryClient: QueryClient;
  /** The path to draw where there is no browser that knows one. */
  ssrPath?: string;
};

/** The whole web client. */
export function App({ queryClient, ssrPath }: AppProps) {
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Router {...(ssrPath !== undefined && { ssrPath, ssrSearch: '' })}>
          <FirstAnswers />
          <Shell>
            <Routes />
          </Shell>
        </Router>
      </QueryClientProvider>
    </StrictMode>
  );
}
