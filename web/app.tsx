import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { StrictMode, useEffect } from 'react';
import { Router, type RouterOptions } from 'wouter';
import { UploadProvider } from './features/upload/upload-context.tsx';
import { parsePath, Routes } from './routes.tsx';
import { Shell } from './shell/shell.tsx';

type AppProps = {
  queryClient: QueryClient;
  /** The router's options: on the server the URL to render, in the browser the hook around a navigation. */
  router: Pick<RouterOptions, 'ssrPath' | 'ssrSearch' | 'aroundNav'>;
  onReady?: () => void;
};

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
