import { useRef } from 'react';
import type { Send } from '#web/api/refresh.ts';
import { Button } from './button.tsx';
import { useCalls } from './use-call.ts';

type RemoveImageButtonProps = {
  /** The id of the element that names the subject of the image. */
  describedBy?: string;
  /** Removes the image; the button goes with it. */
  remove: (send: Send) => Promise<unknown>;
};

/** Removes an image without asking, since it is quickly uploaded again. A child of `ImageButton`. */
export function RemoveImageButton({ describedBy, remove }: RemoveImageButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const { run, isBusy } = useCalls(remove, { success: { title: 'Photo Removed' }, failure: 'Remove Failed' });

  async function onClick(): Promise<void> {
    // This button disappears; the focus goes to the first one.
    const first = button.current?.parentElement?.querySelector('button');
    if ((await run()) !== null) first?.focus();
  }

  return (
    <Button
      ref={button}
      size="small"
      pending={isBusy}
      aria-describedby={describedBy}
      onClick={() => void onClick()}
    >
      Remove Photo
    </Button>
  );
}
