import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { LapView } from '#contract/lap-view/schemas.ts';

// Brings the engine's timing with it.
const CheckTimeDialog = lazy(async () => ({
  default: (await import('./check-time-dialog.tsx')).CheckTimeDialog,
}));

/** Lets anybody who may see the line of a lap time it again in the browser. */
export function CheckTime({ lap, children }: { lap: LapView; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!lap.canBeCompared || !lap.evidence.includes('file')) return null;
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        {children}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <CheckTimeDialog lap={lap} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
