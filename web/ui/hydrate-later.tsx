import { Suspense, type ReactNode } from 'react';

/**
 * Hydrates a part of the server's page below the first screen after the rest, so that the first screen reacts earlier. React
 * hydrates it at once where the reader presses something in it.
 */
export function HydrateLater({ children }: { children: ReactNode }) {
  return <Suspense fallback={null}>{children}</Suspense>;
}
