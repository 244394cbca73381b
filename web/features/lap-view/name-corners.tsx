import { lazy, Suspense, useState } from 'react';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Button } from '#web/ui/button.tsx';
import type { TrackCorners } from './shown-laps.ts';

// Only administrators use the dialog, so it loads on demand.
const NameCornersDialog = lazy(async () => ({
  default: (await import('./name-corners-dialog.tsx')).NameCornersDialog,
}));

/** Lets administrators name the corners. */
export function NameCorners(props: TrackCorners) {
  const [isOpen, setIsOpen] = useState(false);
  const { user } = useCurrentUser();
  if (user?.isAdmin !== true) return null;
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        Name corners
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <NameCornersDialog {...props} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
