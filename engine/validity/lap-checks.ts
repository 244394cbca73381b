import type { CenterLine } from '../center-line.ts';
import type { CenterLineCoverage } from './center-line-coverage.ts';
import { at } from '../fix-columns.ts';
import type { LapReason, LapStatus } from '../timing/laps.ts';
import { type LapSpan, lapLengthMeters, longestGapMs } from '../timing/lap-spans.ts';
import { median } from '../statistics.ts';
import type { Trace } from '../trace/trace.ts';
import type { Track } from '../track.ts';

/** Holds a reason against a lap, and how much it weighs. */
export type Finding = { reason: LapReason; status: LapStatus };

export type LapStandard = {
  /** Length of one lap, in metres; null where unknown. */
  lengthMeters: number | null;
  /** True where the length is a track's own, false where it is only what most laps of this trace have. */
  isOfficialLength: boolean;
  heading: Heading;
  /** Longer laps were not driven at racing speed; null where the track's shape is unknown. */
  longestSeconds: number | null;
};

/** States whether the car went around the track the right way; `doubtful` where only the start/finish line says it did not. */
export type Heading = 'right' | 'doubtful' | 'wrong';

/** Describes one lap to check: the trace, how far the car had gone at every fix of it, and how it followed the outline. */
export type LapCase = {
  trace: Trace;
  cumulativeMeters: Float64Array;
  span: LapSpan;
  coverage: CenterLineCoverage | null;
};

/** Driving lines are a few percent shorter or longer than the measured length; fixes far apart cut corners. */
const OFFICIAL_LENGTH_RANGE = [0.9, 1.12] as const;
/** Laps are this far apart in length where one may lead through the pits. */
const USUAL_LENGTH_RANGE = [0.8, 1.3] as const;
/** The fastest lap ever of any race car on a closed course averaged 108 m/s. */
const AVERAGE_SPEED_MAX_METERS_PER_SECOND = 110;
/** Laps must cover this share of the outline, and only so much of the lap may lie elsewhere. */
const COVERAGE_MIN = 0.95;
const OUTSIDE_SHARE_MAX = 0.05;
/** A corner is no shorter. On a long track it is less than five percent, and the outline may be wrong there: a warning. */
export const MISSED_MIN_METERS = 100;
/** A gap this long hides a cut through a slow corner. */
const HOLE_MIN_MS = 1000;
const HOLE_MIN_INTERVALS = 2.5;

/** Lists everything that speaks against a lap; empty for a valid one. */
export function checkLap(lap: LapCase, standard: LapStandard): Finding[] {
  return [
    ...checkData(lap.trace, lap.span),
    ...checkDirection(lap.span, standard.heading),
    ...checkLength(lap, standard),
    ...checkCoverage(lap.coverage),
  ];
}

/**
 * The right way is that of the line. Where the car went against it, the track's own order decides, since libraries have
 * lines with a wrong direction; `isInOrder` is null where that order is unknown.
 */
export function classifyHeading(isAgainstLine: boolean, isInOrder: boolean | null): Heading {
  if (!isAgainstLine || isInOrder === true) return 'right';
  return isInOrder === null ? 'doubtful' : 'wrong';
}

function checkData(trace: Trace, span: LapSpan): Finding[] {
  const findings: Finding[] = [];
  const { start, end } = span;
  const breakMs = longestGapMs(trace, start, end);
  const hasJump = trace.jumpTimesMs.some((timeMs) => timeMs > start.timeMs && timeMs < end.timeMs);
  // Jumps at which the trace does not break are weighed with other signs of tampering.
  if (hasJump && breakMs > 0) findings.push({ reason: 'impossible_jump', status: 'rejected' });
  if (breakMs > HOLE_MIN_MS) findings.push({ reason: 'gap_in_data', status: 'incomplete' });
  else if (longestStepMs(trace, span) > holeMinMs(trace))
    findings.push({ reason: 'gap_in_data', status: 'warning' });
  if (trace.hasCoarseTimestamps) findings.push({ reason: 'coarse_time_stamps', status: 'rejected' });
  return findings;
}

function checkDirection(span: LapSpan, heading: Heading): Finding[] {
  if (span.hasTurnedBack || heading === 'wrong') return [{ reason: 'wrong_direction', status: 'rejected' }];
  return heading === 'doubtful' ? [{ reason: 'wrong_direction', status: 'warning' }] : [];
}

function checkLength({ cumulativeMeters, span }: LapCase, standard: LapStandard): Finding[] {
  const meters = lapLengthMeters(cumulativeMeters, span);
  const seconds = (span.end.timeMs - span.start.timeMs) / 1000;
  if (meters / seconds > AVERAGE_SPEED_MAX_METERS_PER_SECOND) {
    return [{ reason: 'impossible_speed', status: 'rejected' }];
  }
  const { longestSeconds } = standard;
  const slow: Finding[] =
    longestSeconds !== null && seconds > longestSeconds
      ? [{ reason: 'slow_for_track', status: 'rejected' }]
      : [];
  if (standard.lengthMeters === null) return slow;
  const [shortest, longest] = standard.isOfficialLength ? OFFICIAL_LENGTH_RANGE : USUAL_LENGTH_RANGE;
  const share = meters / standard.lengthMeters;
  if (share < shortest) return [{ reason: 'too_short', status: 'rejected' }];
  if (share > longest) return [{ reason: 'too_long', status: 'rejected' }];
  return slow;
}

function checkCoverage(coverage: CenterLineCoverage | null): Finding[] {
  if (coverage === null) return [];
  const outsideShare = coverage.outsideMeters / (coverage.insideMeters + coverage.outsideMeters);
  if (coverage.coverage < COVERAGE_MIN || outsideShare > OUTSIDE_SHARE_MAX)
    return [{ reason: 'off_track', status: 'rejected' }];
  return coverage.missedMeters >= MISSED_MIN_METERS ? [{ reason: 'off_track', status: 'warning' }] : [];
}

function longestStepMs(trace: Trace, span: LapSpan): number {
  const { timesMs } = trace.fixes;
  let longest = 0;
  for (let index = span.start.fixIndex; index <= span.end.fixIndex; index += 1) {
    const step = at(timesMs, index + 1) - at(timesMs, index);
    if (step > longest) longest = step;
  }
  return longest;
}

function holeMinMs(trace: Trace): number {
  return Math.max(HOLE_MIN_MS, HOLE_MIN_INTERVALS * (trace.intervalMs ?? 0));
}

/** Returns how long a lap should be: the track's own length, its outline's, or what most laps of this drive have. */
export function expectedLength(
  track: Track,
  centerLine: CenterLine | null,
  laps: readonly LapCase[],
): { lengthMeters: number | null; isOfficialLength: boolean } {
  const lengthMeters = track.lengthMeters ?? centerLine?.lengthMeters ?? null;
  if (lengthMeters !== null) return { lengthMeters, isOfficialLength: true };
  if (laps.length < USUAL_LAPS_MIN) return { lengthMeters: null, isOfficialLength: false };
  const usual = median(laps.map((lap) => lapLengthMeters(lap.cumulativeMeters, lap.span)));
  return { lengthMeters: usual, isOfficialLength: false };
}

/** Fewer laps do not show which one is unusual. */
const USUAL_LAPS_MIN = 3;

/** Returns whether laps follow the outline in its order; null where they hardly follow it at all. */
export function isOutlineInOrder(laps: readonly LapCase[]): boolean | null {
  const netBins = laps.reduce((sum, lap) => sum + (lap.coverage?.netBins ?? 0), 0);
  return netBins === 0 ? null : netBins > 0;
}
