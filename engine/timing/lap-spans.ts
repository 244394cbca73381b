import { findPasses } from './crossings.ts';
import type { MeasuredTrace, Pass } from './crossings.ts';
import { isMostlyForward, lapSpans, longestBreakMs, PAUSE_MIN_MS } from './laps.ts';
import type { LapSpan } from './laps.ts';
import { frameOf } from '../timing-line.ts';
import type { LineFrame, TimingLine } from '../timing-line.ts';

/**
 * What is timed in a trace, and whether the car went the way of the line: laps, or runs from a line to another. `passes`
 * are those over the line that laps begin and end on; none for runs.
 */
export type TimedSpans = { spans: LapSpan[]; isForward: boolean; passes: Pass[] };

/** Laps over one line; runs where the track has a finish line of its own. */
export function timedSpans(
  measured: MeasuredTrace,
  frame: LineFrame,
  finishLine: TimingLine | null | undefined,
): TimedSpans {
  const passes = findPasses(measured, frame);
  const isForward = isMostlyForward(passes);
  const finishFrame = finishLine ? frameOf(finishLine) : null;
  if (finishFrame === null) return { spans: lapSpans(measured.trace, passes, isForward), isForward, passes };
  const finishes = findPasses(measured, finishFrame);
  const isFinishForward = isMostlyForward(finishes);
  const starts = passes.filter((pass) => pass.isForward === isForward);
  const ends = finishes.filter((pass) => pass.isForward === isFinishForward);
  const spans = ends.flatMap((end, index) => runTo(end, ends[index - 1], starts));
  return {
    spans: spans.filter(({ start, end }) => longestBreakMs(measured.trace, start, end) <= PAUSE_MIN_MS),
    isForward,
    passes: [],
  };
}

/** The run that ends here: from the latest start since the finish before. None where the car has not started since. */
function runTo(end: Pass, endBefore: Pass | undefined, starts: readonly Pass[]): LapSpan[] {
  const start = starts.findLast((pass) => pass.timeMs < end.timeMs);
  if (start === undefined || start.timeMs < (endBefore?.timeMs ?? Number.NEGATIVE_INFINITY)) return [];
  return [{ start, end, hasTurnedBack: false }];
}
