import { findCrossings } from './crossings.ts';
import type { MeasuredTrace, Crossing } from './crossings.ts';
import { isMostlyForward, findLapSpans, longestGapMs, PAUSE_MIN_MS } from './laps.ts';
import type { LapSpan } from './laps.ts';
import { toLineFrame } from '../timing-line.ts';
import type { LineFrame, TimingLine } from '../timing-line.ts';

/**
 * What is timed in a trace, and whether the car went the way of the line: laps, or runs from a line to another. `passes`
 * are those over the line that laps begin and end on; none for runs.
 */
export type TimedSpans = { spans: LapSpan[]; isForward: boolean; crossings: Crossing[] };

/** Laps over one line; runs where the track has a finish line of its own. */
export function findTimedSpans(
  measured: MeasuredTrace,
  frame: LineFrame,
  finishLine: TimingLine | null | undefined,
): TimedSpans {
  const crossings = findCrossings(measured, frame);
  const isForward = isMostlyForward(crossings);
  const finishFrame = finishLine ? toLineFrame(finishLine) : null;
  if (finishFrame === null)
    return { spans: findLapSpans(measured.trace, crossings, isForward), isForward, crossings };
  const finishes = findCrossings(measured, finishFrame);
  const isFinishForward = isMostlyForward(finishes);
  const starts = crossings.filter((crossing) => crossing.isForward === isForward);
  const ends = finishes.filter((crossing) => crossing.isForward === isFinishForward);
  const spans = ends.flatMap((end, index) => runTo(end, ends[index - 1], starts));
  return {
    spans: spans.filter(({ start, end }) => longestGapMs(measured.trace, start, end) <= PAUSE_MIN_MS),
    isForward,
    crossings: [],
  };
}

/** The run that ends here: from the latest start since the finish before. None where the car has not started since. */
function runTo(end: Crossing, endBefore: Crossing | undefined, starts: readonly Crossing[]): LapSpan[] {
  const start = starts.findLast((crossing) => crossing.timeMs < end.timeMs);
  if (start === undefined || start.timeMs < (endBefore?.timeMs ?? Number.NEGATIVE_INFINITY)) return [];
  return [{ start, end, hasTurnedBack: false }];
}
