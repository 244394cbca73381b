import { useState } from 'react';
import type { FormatChoice } from '#contract/formats/labels.ts';
import { Button } from '#web/ui/button.tsx';
import common from '#web/ui/common.module.css';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormatFields } from '#web/ui/format-fields.tsx';
import { changeGuestFormats } from '#web/ui/guest-formats.ts';

type GuestFormatsDialogProps = { choice: FormatChoice; onClose: () => void };

/** Lets guests choose units and the form of dates; the page behind shows each choice at once. */
export function GuestFormatsDialog({ choice: first, onClose }: GuestFormatsDialogProps) {
  const [choice, setChoice] = useState(first);
  return (
    <Dialog
      closesOutside
      title="Units and Dates"
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className={common['stack']}>
        <FormatFields
          choice={choice}
          onChange={(chosen) => {
            setChoice(chosen);
            changeGuestFormats(chosen);
          }}
        />
      </div>
    </Dialog>
  );
}
