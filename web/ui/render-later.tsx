import { startTransition, Suspense, useEffect, useState, type ReactNode } from 'react';

type RenderLaterProps = {
  /** The height of the part in pixels: room for it, where a reader opens it from within the application. */
  heightPx?: number;
  children: ReactNode;
};

/**
 * Shows a part below the first screen, so that the first screen comes and reacts earlier. Of the server's page, React hydrates it
 * after the rest, and at once where the reader presses something in it. In the application, a part with a height is rendered
 * right after the rest.
 */
export function RenderLater({ heightPx, children }: RenderLaterProps) {
  const [isRendered, setIsRendered] = useState(() => heightPx === undefined || !isPageReady());
  useEffect(() => {
    startTransition(() => setIsRendered(true));
  }, []);
  if (!isRendered) return <div style={{ height: heightPx }} />;
  return <Suspense fallback={null}>{children}</Suspense>;
}

/** Tells whether the page of the server reacts already. */
function isPageReady(): boolean {
  return typeof document !== 'undefined' && document.querySelector('#root[data-ready]') !== null;
}
