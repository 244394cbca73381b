import { BadgeCheck } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { LapView } from '#contract/lap-view/schemas.ts';
import { Button } from '#web/ui/button.tsx';

// Brings the engine's timing with it.
const CheckTimeDialog = lazy(async () => ({
  default: (await import('./check-time-dialog.tsx')).CheckTimeDialog,
}));

/** Lets anybody who may see the line of a lap time it again in the browser. */
export function CheckTime({ lap }: { lap: LapView }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!lap.canBeCompared || !lap.evidence.includes('file')) return null;
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        <BadgeCheck size={16} aria-hidden="true" />
        Check this time
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <CheckTimeDialog lap={lap} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
