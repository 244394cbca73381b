import { at } from '../fix-columns.ts';
import { toLineFrame, type LineFrame, type TimingLine } from '../timing-line.ts';
import type { CenterLine } from '../center-line.ts';
import { dropOtherParts, isMiddlePartForward, keepPartOfOutline } from './line-parts.ts';
import type { Trace } from '../trace/trace.ts';
import { findCrossings, type Crossing, type MeasuredTrace } from './crossings.ts';

/**
 * Describes what is timed in a trace, and whether the car went in the direction of the line: laps, or runs from a line
 * to another. `crossings` are those of the line that laps begin and end on; none for runs.
 */
export type TimedSpans = { spans: LapSpan[]; isForward: boolean; crossings: readonly Crossing[] };

/** Finds laps over one line; runs where the track has a finish line of its own. */
export function findTimedSpans(
  measured: MeasuredTrace,
  frame: LineFrame,
  { finishLine, centerLine }: { finishLine: TimingLine | null | undefined; centerLine: CenterLine | null },
): TimedSpans {
  const found = findCrossings(measured, frame);
  const finishFrame = finishLine ? toLineFrame(finishLine) : null;
  if (finishFrame === null) return findLaps(measured.trace, found, { frame, centerLine });
  const crossings = found;
  const isForward = isMostlyForward(crossings);
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

function findLaps(
  trace: Trace,
  found: readonly Crossing[],
  { frame, centerLine }: { frame: LineFrame; centerLine: CenterLine | null },
): TimedSpans {
  const ofPart = centerLine === null ? found : keepPartOfOutline(found, centerLine, frame);
  const isForward = isMostlyForward(ofPart);
  const crossings = dropOtherParts(trace, ofPart, isForward);
  return { spans: findLapSpans(trace, crossings, isForward), isForward, crossings };
}

/** The run that ends here: from the latest start since the finish before. None where the car has not started since. */
function runTo(end: Crossing, endBefore: Crossing | undefined, starts: readonly Crossing[]): LapSpan[] {
  const start = starts.findLast((crossing) => crossing.timeMs < end.timeMs);
  if (start === undefined || start.timeMs < (endBefore?.timeMs ?? Number.NEGATIVE_INFINITY)) return [];
  return [{ start, end, hasTurnedBack: false }];
}

/** Holds a lap from one crossing of the start/finish line to the next in the same direction. */
export type LapSpan = { start: Crossing; end: Crossing; hasTurnedBack: boolean };

/** After a longer gap in the recording the car has been in the pits: the time between the two crossings is no lap. */
const PAUSE_MIN_MS = 60_000;

/**
 * The direction of most crossings counts, or where they alternate, that of the part of the track in the middle of the line. Where they are as many, the one that was raced, unless both were: then that of the first.
 * Not always the faster one: long lines reach across other sections of the track.
 */
export function isMostlyForward(crossings: readonly Crossing[]): boolean {
  const forward = crossings.filter((crossing) => crossing.isForward);
  const backward = crossings.filter((crossing) => !crossing.isForward);
  const isMiddleForward = isMiddlePartForward(crossings);
  if (isMiddleForward !== null) return isMiddleForward;
  if (forward.length !== backward.length) return forward.length > backward.length;
  const [forwardSpeed, backwardSpeed] = [topSpeed(forward), topSpeed(backward)];
  if (forwardSpeed > PADDOCK_RATIO * backwardSpeed) return true;
  if (backwardSpeed > PADDOCK_RATIO * forwardSpeed) return false;
  return crossings[0]?.isForward ?? true;
}

/** Cars drive through a paddock at less than a third of the speed over a start line. */
const PADDOCK_RATIO = 3;

function topSpeed(crossings: readonly Crossing[]): number {
  return crossings.reduce((most, { speedMetersPerSecond }) => Math.max(most, speedMetersPerSecond), 0);
}

/** The laps of a drive: between consecutive crossings without a pause. */
function findLapSpans(trace: Trace, crossings: readonly Crossing[], isForward: boolean): LapSpan[] {
  const spans: LapSpan[] = [];
  let start: Crossing | null = null;
  let hasTurnedBack = false;
  for (const crossing of crossings) {
    if (crossing.isForward !== isForward) {
      hasTurnedBack = true;
      continue;
    }
    if (start !== null && longestGapMs(trace, start, crossing) <= PAUSE_MIN_MS) {
      spans.push({ start, end: crossing, hasTurnedBack });
    }
    start = crossing;
    hasTurnedBack = false;
  }
  return spans;
}

/** The longest time between two parts of the trace that lies between two crossings; 0 where the trace does not break. */
export function longestGapMs(trace: Trace, start: Crossing, end: Crossing): number {
  const { timesMs } = trace.fixes;
  return trace.partStarts
    .filter((first) => first > start.fixIndex && first <= end.fixIndex)
    .reduce((longest, first) => Math.max(longest, at(timesMs, first) - at(timesMs, first - 1)), 0);
}

export function lapLengthMeters(cumulativeMeters: Float64Array, span: LapSpan): number {
  return at(cumulativeMeters, span.end.fixIndex) - at(cumulativeMeters, span.start.fixIndex);
}
