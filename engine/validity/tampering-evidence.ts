import { impossibleSeconds } from './impossible-acceleration.ts';
import { at } from '../fix-columns.ts';
import { longestFilledInMs } from './interpolated-stretch.ts';
import type { Finding } from './lap-checks.ts';
import type { LapReason, LapSpan, LapStatus } from '../timing/laps.ts';
import { oddStepTimesMs, stepsUnlikeSpeedsMs } from './position-glitches.ts';
import { decimalsOf } from '../timing/position-noise.ts';
import { repeatedShares } from './repeated-positions.ts';
import { isSameRhythm, isUsualRhythm, rhythmMs } from './fix-cadence.ts';
import { wayOverSpeeds } from './speed-distance-ratio.ts';
import type { SpeedModel } from '../trace/speed-model.ts';
import { median } from '../trace/timestamps.ts';
import type { Trace } from '../trace/trace.ts';

/** What a trace tells of its own making, whatever track it was driven on. */
export type TraceEvidence = {
  oddStepTimesMs: number[];
  /** Of the receiver; null where it keeps none, or rows hide it. */
  rhythmMs: number | null;
  decimals: number;
};

/** A lap file as far as this matters. */
export type Examined = {
  trace: Trace;
  drivenMeters: Float64Array;
  speeds: SpeedModel | null;
  evidence: TraceEvidence;
};

/** Speeds from wheels, and of receivers that filter, are off by up to two percent; more than this is another clock. */
const SCALE_TOLERANCE = 0.025;
/** Where speeds and positions go together badly, only what no unit and no receiver does is odd. */
const BAD_SPEEDS_TOLERANCE = 0.15;
/** The laps of one file among themselves. Good receivers agree with themselves to a tenth of a percent. */
const LAP_TOLERANCE = 0.015;
const LAP_REJECTED = 0.025;
const LAP_TOLERANCE_OF_BAD_SPEEDS = 0.05;
/** Laps that agree like this were measured well, whatever it was that was measured. */
const ALIKE_SPREAD = 0.005;
const QUICK_INTERVAL_MS = 260;
const GOOD_RESIDUAL_METERS = 0.1;
/** Of fewer laps, nobody can say which one is unusual. */
const USUAL_LAPS_MIN = 3;
const REPEATED_SHARE_MAX = 0.15;
/** As long as the gap that makes a lap incomplete. */
const FILLED_IN_MAX_MS = 5000;
/** A receiver that goes astray and comes back spoils as many. */
const IMPOSSIBLE_SECONDS_MAX = 4;

/** Looks at a trace once, for all laps and tracks. */
export function gatherEvidence(trace: Trace, speeds: SpeedModel | null): TraceEvidence {
  const last = trace.fixes.length - 1;
  return {
    oddStepTimesMs: [...oddStepTimesMs(trace), ...stepsUnlikeSpeedsMs(trace, speeds)],
    rhythmMs: trace.intervalBehindRowsMs === null ? rhythmMs(trace.fixes.timesMs, 0, last) : null,
    decimals: decimalsOf(trace.fixes),
  };
}

/** For every lap, what shows that it was not driven and measured as the file says. See docs/timing.md. */
export function examineLaps(file: Examined, spans: readonly LapSpan[]): Finding[][] {
  const ranges = spans.map(({ start, end }) => ({ first: start.fixIndex, last: end.fixIndex }));
  const repeated = repeatedShares(file.trace, ranges);
  const ratios = ranges.map(({ first, last }) => wayOverSpeeds(file.trace, file.drivenMeters, first, last));
  const usual = usualOf(file, ratios);
  return spans.map((span, lap) => [
    ...checkSpeeds(file, ratios[lap] ?? null, usual),
    ...checkClock(file, span),
    ...checkPositions(file, span),
    ...((repeated[lap] ?? 0) > REPEATED_SHARE_MAX ? [finding('repeated_positions', 'rejected')] : []),
  ]);
}

function finding(reason: LapReason, status: LapStatus): Finding {
  return { reason, status };
}

/** What the laps of a file have in common, where there are enough of them. */
type Usual = { ratio: number | null; areAlike: boolean };

function usualOf({ trace, drivenMeters }: Examined, ratios: readonly (number | null)[]): Usual {
  const known = ratios.filter((ratio) => ratio !== null);
  if (known.length < USUAL_LAPS_MIN) {
    const ofTrace = wayOverSpeeds(trace, drivenMeters, 0, trace.fixes.length - 1);
    return { ratio: ofTrace, areAlike: false };
  }
  const ratio = median(known) ?? 1;
  const spread = median(known.map((other) => Math.abs(other / ratio - 1))) ?? 0;
  return { ratio, areAlike: spread <= ALIKE_SPREAD };
}

/** Whether time, positions and speeds tell one story: in the whole file, and in this lap as in the others. */
function checkSpeeds(file: Examined, ratio: number | null, usual: Usual): Finding[] {
  if (ratio === null || usual.ratio === null) return [];
  const isGood = file.speeds !== null && file.speeds.residualMeters <= GOOD_RESIDUAL_METERS;
  const off = Math.abs(ratio / usual.ratio - 1);
  if (isGood && off > LAP_REJECTED) return [finding('speeds_disagree', 'rejected')];
  const isOdd = off > (isGood ? LAP_TOLERANCE : LAP_TOLERANCE_OF_BAD_SPEEDS) || isScaled(file, usual);
  return isOdd ? [finding('speeds_disagree', 'warning')] : [];
}

/** Whether all speeds of the file are too high or too low for its positions, or its clock too slow or too quick. */
function isScaled({ trace, speeds }: Examined, usual: Usual): boolean {
  if (speeds !== null) return Math.abs(speeds.scale - 1) > SCALE_TOLERANCE;
  const isQuick = trace.intervalMs !== null && trace.intervalMs <= QUICK_INTERVAL_MS;
  const tolerance = usual.areAlike && isQuick ? LAP_TOLERANCE_OF_BAD_SPEEDS : BAD_SPEEDS_TOLERANCE;
  return Math.abs((usual.ratio ?? 1) - 1) > tolerance;
}

function checkClock({ trace, evidence }: Examined, { start, end }: LapSpan): Finding[] {
  if (trace.clockSetBackTimesMs.some((timeMs) => timeMs > start.timeMs && timeMs < end.timeMs))
    return [finding('clock_changed', 'rejected')];
  if (evidence.rhythmMs === null) return [];
  const own = rhythmMs(trace.fixes.timesMs, start.fixIndex, end.fixIndex);
  if (own !== null && !isSameRhythm(own, evidence.rhythmMs)) return [finding('clock_changed', 'rejected')];
  return isUsualRhythm(evidence.rhythmMs) ? [] : [finding('odd_clock', 'warning')];
}

function checkPositions({ trace, evidence }: Examined, { start, end }: LapSpan): Finding[] {
  const findings: Finding[] = [];
  const isWithin = (timeMs: number): boolean =>
    timeMs >= at(trace.fixes.timesMs, Math.max(0, start.fixIndex - 1)) && timeMs <= end.timeMs;
  if (evidence.oddStepTimesMs.some(isWithin)) findings.push(finding('impossible_jump', 'warning'));
  if (impossibleSeconds(trace, start.fixIndex, end.fixIndex) > IMPOSSIBLE_SECONDS_MAX)
    findings.push(finding('impossible_acceleration', 'rejected'));
  const filledInMs = longestFilledInMs(trace, evidence.decimals, start.fixIndex, end.fixIndex);
  if (filledInMs > 0)
    findings.push(finding('filled_in', filledInMs > FILLED_IN_MAX_MS ? 'rejected' : 'warning'));
  return findings;
}
