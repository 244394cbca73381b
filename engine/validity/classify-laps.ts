import type { CenterLine } from '../center-line.ts';
import type { LineFrame } from '../timing-line.ts';
import type { LapSpan, TimedSpans } from '../timing/lap-spans.ts';
import type { Lap, LapStatus } from '../timing/laps.ts';
import { areSectorsInOrder } from '../timing/sectors.ts';
import type { Track } from '../track.ts';
import { coverCenterLine } from './center-line-coverage.ts';
import {
  checkLap,
  expectedLength,
  isOutlineInOrder,
  classifyHeading,
  type Finding,
  type LapCase,
} from './lap-checks.ts';
import { gentleLapSeconds } from './slowest-lap.ts';
import { checkTampering, type ExaminedFile } from './tampering-evidence.ts';

export type TimedTrack = {
  track: Track;
  frame: LineFrame;
  centerLine: CenterLine | null;
  sectorCrossings: number[][];
};

/** Decides for every lap whether it counts, in the order of the spans: against the track, against the others, for tampering. */
export function classifyLaps(
  file: ExaminedFile,
  { spans, isForward }: TimedSpans,
  { track, frame, centerLine, sectorCrossings }: TimedTrack,
): ({ span: LapSpan } & Pick<Lap, 'status' | 'reasons'>)[] {
  const { trace, cumulativeMeters } = file;
  const cases = spans.map((span): LapCase => {
    const { start, end } = span;
    const coverage = centerLine && coverCenterLine(trace, centerLine, start.fixIndex, end.fixIndex + 1);
    return { trace, cumulativeMeters, span, coverage };
  });
  const isInOrder = centerLine ? isOutlineInOrder(cases) : areSectorsInOrder(spans, sectorCrossings);
  const standard = {
    ...expectedLength(track, centerLine, cases),
    longestSeconds: centerLine && !track.finishLine ? gentleLapSeconds(centerLine) : null,
    heading: classifyHeading(frame.isDirected && !isForward, isInOrder),
  };
  const tampering = checkTampering(file, spans);
  return cases.map((lap, index) => {
    const findings = [...checkLap(lap, standard), ...(tampering[index] ?? [])];
    return {
      span: lap.span,
      status: worstStatus(findings),
      reasons: [...new Set(findings.map((finding) => finding.reason))],
    };
  });
}

function worstStatus(findings: readonly Finding[]): LapStatus {
  const order: LapStatus[] = ['incomplete', 'rejected', 'warning'];
  return order.find((status) => findings.some((finding) => finding.status === status)) ?? 'valid';
}
