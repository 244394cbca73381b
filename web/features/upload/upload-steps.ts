import { useEffect, useRef } from 'react';
import { pluralize } from '#web/ui/format.ts';
import { describeRank } from './describe-best.ts';
import { describeLaps } from './upload-results.ts';
import type { UploadState } from './upload-state.ts';

/** Describes in a sentence for screen readers where the upload is; gives an empty text before the first step. */
export function describeStep(upload: UploadState, trackName: string): string {
  const { phase, trackId, outcomes, queue, isPickerOpen } = upload;
  if (phase === 'analyzing') return 'Analyzing GPS Data...';
  if (phase === 'sending') return 'Uploading...';
  if (isPickerOpen) return 'Select the track.';
  if (trackId !== null) return `${trackName}${describeTiming(upload)}. Now fill in the form.`;
  if (queue.length > 0) return `${pluralize(queue.length, 'file')} chosen.`;
  // A toast reports the number of successful files, and the list of files the problem of each.
  return outcomes.flatMap(({ best }) => (best ? [`${describeRank(best)}.`] : [])).join(' ');
}

function describeTiming({ timing }: UploadState): string {
  if (timing?.state !== 'known') return '';
  const { lapCount, bestLapTimeMs } = timing.timing;
  return bestLapTimeMs === null ? '' : `, ${describeLaps(lapCount, bestLapTimeMs)}`;
}

type Step = Pick<UploadState, 'phase' | 'isPickerOpen' | 'trackId'>;

type ShownStep = Step & Pick<UploadState, 'timing'>;

/**
 * Moves the focus to the form when a track was chosen or the driver comes back to it from another page, or back to the button. The
 * result takes it by itself.
 */
export function useStepFocus({ phase, isPickerOpen, trackId, timing }: ShownStep) {
  const processButton = useRef<HTMLButtonElement>(null);
  const detailsHeading = useRef<HTMLHeadingElement>(null);
  const before = useRef<Step>(null);
  useEffect(() => {
    const last = before.current;
    before.current = { phase, isPickerOpen, trackId };
    if (last === null ? trackId !== null : hasChosenTrack(last, before.current)) {
      detailsHeading.current?.focus({ preventScroll: true });
      showSection(detailsHeading.current);
    } else if (last !== null && hasLedToNothing(last, before.current) && isFocusLost()) {
      processButton.current?.focus();
    }
  }, [phase, isPickerOpen, trackId]);
  useEffect(() => {
    // The laps, which come later, have pushed the form down.
    if (timing !== null && isFocused(detailsHeading.current)) showSection(detailsHeading.current);
  }, [timing]);
  return { processButton, detailsHeading };
}

function isFocused(element: HTMLElement | null): boolean {
  return element !== null && element === document.activeElement;
}

function showSection(heading: HTMLElement | null): void {
  heading?.closest('section')?.scrollIntoView({ block: 'nearest' });
}

function hasChosenTrack(last: Step, { isPickerOpen, trackId }: Step): boolean {
  return last.isPickerOpen && !isPickerOpen && trackId !== null && trackId !== last.trackId;
}

function hasLedToNothing(last: Step, { phase, isPickerOpen }: Step): boolean {
  if (isPickerOpen) return false;
  return last.isPickerOpen || (last.phase === 'analyzing' && phase === 'idle');
}

/** Returns true if the focus is lost, for example after its button was disabled. */
function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
