import type { TrackSet, TrackSetResult } from '#contract/tracks/sets.ts';
import { countMegabytes, formatCount } from '#web/ui/format.ts';

const STEPS = {
  waiting: 'Waiting for other work to end',
  fetching: 'Fetching',
  reading: 'Reading and checking',
  adding: 'Adding',
} as const;

/** Returns whether a set in this state is on its way. */
export function isMoving(state: TrackSet['state']): state is keyof typeof STEPS {
  return Object.hasOwn(STEPS, state);
}

/** Describes how far a set on its way has come: in megabytes, then in layouts. */
export function describeProgress({ state, progress }: Pick<TrackSet, 'state' | 'progress'>): string {
  if (!isMoving(state)) return '';
  if (progress === null || progress.done === 0) return `${STEPS[state]}...`;
  const { done, total } = progress;
  const [describe, unit] = state === 'fetching' ? [countMegabytes, 'MB'] : [formatCount, 'layouts'];
  return total === null
    ? `${STEPS[state]}: ${describe(done)} ${unit}`
    : `${STEPS[state]}: ${describe(done)} of ${describe(total)} ${unit}`;
}

/** Returns the share of the current step from 0 to 1; null where it is not known. */
export function findShare({ progress }: Pick<TrackSet, 'progress'>): number | null {
  if (progress === null || progress.total === null || progress.total === 0) return null;
  return Math.min(1, progress.done / progress.total);
}

/** Describes what a set brought. Courses wait for their first driver, who confirms the start line. */
export function describeResult({ tracks, courses, known, duplicates, leftOut }: TrackSetResult): string {
  const brought = [
    tracks > 0 && `${formatCount(tracks)} tracks`,
    courses > 0 && `${formatCount(courses)} courses, whose first drivers confirm the start line`,
  ].filter(Boolean);
  const rest = [
    known > 0 && `${formatCount(known)} were here already`,
    duplicates > 0 && `${formatCount(duplicates)} were in it twice`,
    leftOut > 0 && `${formatCount(leftOut)} are no lap`,
  ].filter(Boolean);
  const sentences = [brought.length > 0 ? `Added ${brought.join(' and ')}.` : 'It added nothing new.'];
  if (rest.length > 0) sentences.push(`${rest.join(', ')}.`);
  return sentences.join(' ');
}
