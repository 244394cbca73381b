import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { Router, useRouter, type Parser } from 'wouter';
import { FirstAnswers } from './api/first-answers.ts';
import { Routes } from './routes.tsx';
import { Shell } from './shell/shell.tsx';

type AppProps = {
  queryClient: QueryClient;
  /** The path to draw where there is no browser that knows one. */
  ssrPath?: string;
  /** Called once the page that the document shows is this one, and the answers that came with it are known. */
  onTakenOver?: () => void;
};

/** The whole web client. */
export function App({ queryClient, ssrPath, onTakenOver }: AppProps) {
  const { parser } = useRouter();
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Router
          // Capitals make another path, as they do for the server: by itself the router takes them for the same.
          parser={(path, loose) => withCapitals(parser(path, loose))}
          {...(ssrPath !== undefined && { ssrPath, ssrSearch: '' })}
        >
          <FirstAnswers onRead={onTakenOver} />
          <Shell>
            <Routes />
          </Shell>
        </Router>
      </QueryClientProvider>
    </StrictMode>
  );
}

function withCapitals(parsed: ReturnType<Parser>): ReturnType<Parser> {
  const { pattern } = parsed;
  return pattern instanceof RegExp ? { ...parsed, pattern: new RegExp(pattern.source) } : parsed;
}
