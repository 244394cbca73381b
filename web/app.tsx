import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { StrictMode, useEffect } from 'react';
import { Router, type RouterOptions } from 'wouter';
import { UploadProvider } from './features/upload/upload-context.tsx';
import { parsePath, Routes } from './routes.tsx';
import { Shell } from './shell/shell.tsx';

type AppProps = {
  queryClient: QueryClient;
  /** On the server the address to render; in the browser what happens around a navigation. */
  router: Pick<RouterOptions, 'ssrPath' | 'ssrSearch' | 'aroundNav'>;
  /** Called once the page reacts to its reader. */
  onReady?: () => void;
};

/** The whole web client. */
export function App({ queryClient, router, onReady }: AppProps) {
  useEffect(() => {
    onReady?.();
  }, [onReady]);
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Router parser={parsePath} {...router}>
          <UploadProvider>
            <Shell>
              <Routes />
            </Shell>
          </UploadProvider>
        </Router>
      </QueryClientProvider>
    </StrictMode>
  );
}
