import { useEffect, useRef } from 'react';
import type { UploadState } from './upload-state.ts';

type Step = Pick<UploadState, 'phase' | 'isPickerOpen' | 'trackId'>;

/**
 * Moves the focus to the next step: to the form when a track was chosen, which also comes into view, and back to the button where
 * processing has led to nothing. The result takes the focus by itself.
 */
export function useStepFocus({ phase, isPickerOpen, trackId }: Step) {
  const processButton = useRef<HTMLButtonElement>(null);
  const detailsHeading = useRef<HTMLHeadingElement>(null);
  const before = useRef<Step>({ phase, isPickerOpen, trackId });
  useEffect(() => {
    const last = before.current;
    before.current = { phase, isPickerOpen, trackId };
    if (hasChosenTrack(last, before.current)) {
      detailsHeading.current?.focus({ preventScroll: true });
      detailsHeading.current?.closest('section')?.scrollIntoView({ block: 'nearest' });
    } else if (hasLedToNothing(last, before.current) && isFocusLost()) {
      processButton.current?.focus();
    }
  }, [phase, isPickerOpen, trackId]);
  return { processButton, detailsHeading };
}

function hasChosenTrack(last: Step, { isPickerOpen, trackId }: Step): boolean {
  return last.isPickerOpen && !isPickerOpen && trackId !== null && trackId !== last.trackId;
}

function hasLedToNothing(last: Step, { phase, isPickerOpen }: Step): boolean {
  if (isPickerOpen) return false;
  return last.isPickerOpen || (last.phase === 'analyzing' && phase === 'idle');
}

/** A button that is disabled has lost the focus. */
function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
