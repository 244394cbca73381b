import { formatLapTime } from '#engine/lap-time.ts';
import { pluralize } from '#web/ui/format.ts';
import { describePlace } from './describe-best.ts';
import type { UploadState } from './upload-state.ts';

/** Where the upload is, in a sentence for screen readers; empty before the first step. */
export function describeStep(upload: UploadState, trackName: string): string {
  const { phase, trackId, outcome, queue, isPickerOpen } = upload;
  if (phase === 'analyzing') return 'Analyzing GPS Data...';
  if (phase === 'sending') return 'Uploading...';
  // A toast says how many files went through, and the list of files what is wrong with each.
  if (outcome) return outcome.best ? `${describePlace(outcome.best)}.` : '';
  if (isPickerOpen) return 'Select the track.';
  if (trackId !== null) return `${trackName}${describeLaps(upload)}. Now fill in the form.`;
  return queue.length === 0 ? '' : `${pluralize(queue.length, 'file')} chosen.`;
}

function describeLaps({ timing }: UploadState): string {
  if (timing?.state !== 'known') return '';
  const { lapCount, bestLapTimeMs } = timing.timing;
  if (bestLapTimeMs === null) return '';
  return `, ${pluralize(lapCount, 'lap')}, best ${formatLapTime(bestLapTimeMs)}`;
}
