import Share2 from 'lucide-react/icons/share-2';
import { lazy, Suspense, useState } from 'react';
import { createPortal } from 'react-dom';
import type { TrackId } from '#contract/ids.ts';
import { IconButton } from '#web/ui/button.tsx';
import type { BoardFilter } from './board-filter.ts';

const ShareBoardDialog = lazy(async () => ({
  default: (await import('./share-board-dialog.tsx')).ShareBoardDialog,
}));

export function ShareBoard({ trackId, filter }: { trackId: TrackId; filter: BoardFilter }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <IconButton
        label="Share board"
        icon={<Share2 size={18} aria-hidden="true" />}
        onClick={() => setIsOpen(true)}
      />
      {isOpen &&
        // The filter bar shows one button on phones and another one on wide screens: a window that changes its width
        // must not hide the dialog.
        createPortal(
          <Suspense fallback={null}>
            <ShareBoardDialog trackId={trackId} filter={filter} onClose={() => setIsOpen(false)} />
          </Suspense>,
          document.body,
        )}
    </>
  );
}
