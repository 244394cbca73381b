import { lazy, Suspense, useState } from 'react';
import type { LapView } from '#contract/lap-view/schemas.ts';

// Brings the engine's timing with it.
const CheckTimeDialog = lazy(async () => ({
  default: (await import('./check-time-dialog.tsx')).CheckTimeDialog,
}));

type CheckTimeProps = {
  lap: LapView;
  /** Tells the lap from others on the page. */
  name?: string | undefined;
};

/** Lets anybody who may see the line of a lap time it again in the browser. */
export function CheckTime({ lap, name }: CheckTimeProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (!lap.canBeCompared || !lap.evidence.includes('file')) return null;
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Check this time
        {name !== undefined && <span className="visually-hidden">: {name}</span>}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <CheckTimeDialog lap={lap} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
