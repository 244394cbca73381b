import { useRef, useState } from 'react';
import { describeError } from '#web/api/api-error.ts';
import { Button } from './button.tsx';
import { showToast } from './toasts.ts';

type RemoveImageButtonProps = {
  /** The id of what the image is of, where the label alone does not say it. */
  describedBy?: string;
  /** Removes the image; the button goes with it. */
  remove: () => Promise<void>;
};

/** Takes an image away at once: it is quickly sent again by whoever has it. Stands among the buttons of an `ImageButton`. */
export function RemoveImageButton({ describedBy, remove }: RemoveImageButtonProps) {
  const [isPending, setPending] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  async function onClick(): Promise<void> {
    setPending(true);
    // The focus must not go with this button.
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
