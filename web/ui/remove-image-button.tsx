import { useRef, useState } from 'react';
import type { Send } from '#web/api/refresh.ts';
import { Button } from './button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';

type RemoveImageButtonProps = {
  /** The id of the element that names the subject of the image. */
  describedBy?: string;
  /** Removes the image; the button goes with it. */
  remove: (send: Send) => Promise<unknown>;
};

/** Asks before an image is removed. A child of `ImageButton`. */
export function RemoveImageButton({ describedBy, remove }: RemoveImageButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  // The button goes with the photo; the focus goes to the one that uploads another.
  const focusAfter = useRef<HTMLElement | null>(null);
  return (
    <>
      <Button
        ref={(button) => {
          focusAfter.current = button?.parentElement?.querySelector('button') ?? focusAfter.current;
        }}
        size="small"
        aria-describedby={describedBy}
        onClick={() => setIsAsking(true)}
      >
        Remove Photo
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Remove Photo"
          confirmText="Remove Photo"
          focusAfter={focusAfter}
          onConfirm={remove}
          success={{ title: 'Photo Removed' }}
          onClose={() => setIsAsking(false)}
        >
          <p>The photo is deleted. You can upload another one at any time.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
