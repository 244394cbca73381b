import { useRef, useState } from 'react';
import { describeError } from '#web/api/api-error.ts';
import { Button } from './button.tsx';
import { showToast } from './toasts.ts';

type RemoveImageButtonProps = {
  /** The id of the name of what the image shows. */
  describedBy?: string;
  /** Removes the image; the button goes with it. */
  remove: () => Promise<void>;
};

/** Removes an image without asking, since it is quickly uploaded again. A child of `ImageButton`. */
export function RemoveImageButton({ describedBy, remove }: RemoveImageButtonProps) {
  const [isPending, setPending] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  async function onClick(): Promise<void> {
    setPending(true);
    // This button disappears; the focus goes to the first one.
    const first = button.current?.parentElement?.querySelector('button');
    try {
      await remove();
      first?.focus();
      showToast({ title: 'Photo Removed' });
    } catch (error) {
      showToast({ title: 'Remove Failed', description: describeError(error), destructive: true });
    } finally {
      setPending(false);
    }
  }

  return (
    <Button
      ref={button}
      size="small"
      pending={isPending}
      aria-describedby={describedBy}
      onClick={() => void onClick()}
    >
      Remove Photo
    </Button>
  );
}
