import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { StrictMode, useEffect } from 'react';
import { Router, type RouterOptions } from 'wouter';
import { chooseFormats } from '#contract/formats/labels.ts';
import type { VisitorFormats } from '#contract/pages.ts';
import { useCurrentUser } from './api/current-user.ts';
import { UploadProvider } from './features/upload/upload-context.tsx';
import { parsePath, Routes } from './routes.tsx';
import { Shell } from './shell/shell.tsx';
import { showFormats } from './ui/format.ts';
import { useGuestFormats } from './ui/guest-formats.ts';

type AppProps = {
  queryClient: QueryClient;
  /** The forms of units and dates as the server knows them. */
  formats: VisitorFormats;
  /** The router's options: on the server the URL to render, in the browser the hook around a navigation. */
  router: Pick<RouterOptions, 'ssrPath' | 'ssrSearch' | 'aroundNav'>;
  onReady?: () => void;
};

export function App({ queryClient, formats, router, onReady }: AppProps) {
  useEffect(() => {
    onReady?.();
  }, [onReady]);
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Visit formats={formats} router={router} />
      </QueryClientProvider>
    </StrictMode>
  );
}

/** Renders everything again when the visitor chooses other forms of units and dates. */
function Visit({ formats: { ofBrowser, ofGuest }, router }: Pick<AppProps, 'formats' | 'router'>) {
  const { user, leaving } = useCurrentUser();
  const guest = useGuestFormats(ofGuest);
  showFormats(chooseFormats(ofBrowser, user ?? leaving ?? guest));
  return (
    <Router parser={parsePath} {...router}>
      <UploadProvider>
        <Shell guestFormats={guest}>
          {/* The dialog of the shell is above a page whose parts remember what they have drawn. */}
          <Routes key={JSON.stringify(guest)} />
        </Shell>
      </UploadProvider>
    </Router>
  );
}
