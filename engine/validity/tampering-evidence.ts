import { countImpossibleSeconds } from './impossible-acceleration.ts';
import { at } from '../fix-columns.ts';
import { longestInterpolatedMs } from './interpolated-stretch.ts';
import type { Finding } from './lap-checks.ts';
import { WINDOW_MS } from '../timing/crossings.ts';
import type { LapReason, LapStatus } from '../timing/laps.ts';
import type { LapSpan } from '../timing/lap-spans.ts';
import { findPositionGlitches, findSpeedMismatches } from './position-glitches.ts';
import { countDecimals } from '../trace/coordinate-decimals.ts';
import { repeatedShares } from './repeated-positions.ts';
import { isOddCadence, isSameCadence, measureCadence, type Cadence } from './fix-cadence.ts';
import { speedDistanceRatio } from './speed-distance-ratio.ts';
import type { SpeedModel } from '../trace/speed-model.ts';
import { median } from '../statistics.ts';
import type { Trace } from '../trace/trace.ts';

/** Holds signs in a trace of how it was recorded, whatever track it was driven on. */
export type TraceEvidence = {
  /** Moments at which the trace goes on elsewhere, and those at which single fixes are wrong. */
  jumpTimesMs: number[];
  strayTimesMs: number[];
  /** Rhythm of the receiver; null where it keeps none, or rows hide it. */
  cadence: Cadence | null;
  decimals: number;
};

export type ExaminedFile = {
  trace: Trace;
  cumulativeMeters: Float64Array;
  speeds: SpeedModel | null;
  evidence: TraceEvidence;
};

/** Speeds from wheels, and of receivers that filter, are off by up to two percent; more than this is another clock. */
const SCALE_TOLERANCE = 0.025;
/** A receiver that is off by the same share in all laps and keeps a usual rhythm is only calibrated badly. */
const EVEN_SCALE_TOLERANCE = 0.035;
/** Speeds that fit the positions badly are suspicious only beyond what any unit and receiver does. */
const BAD_SPEEDS_TOLERANCE = 0.15;
/** Laps of one file agree among themselves. Good receivers agree with themselves to a tenth of a percent. */
const LAP_TOLERANCE = 0.015;
const LAP_REJECTED = 0.025;
const LAP_TOLERANCE_OF_BAD_SPEEDS = 0.05;
/** Laps that agree like this were measured well, whatever it was that was measured. */
const ALIKE_SPREAD = 0.005;
const QUICK_INTERVAL_MS = 260;
const GOOD_RESIDUAL_METERS = 0.1;
/** Fewer laps do not show which one is unusual. */
const USUAL_LAPS_MIN = 3;
const REPEATED_SHARE_MAX = 0.15;
/** The limit is as long as the gap that makes a lap incomplete. */
const FILLED_IN_MAX_MS = 5000;
/** A receiver that goes astray and comes back spoils as many. */
const IMPOSSIBLE_SECONDS_MAX = 4;

/** Looks at a trace once, for all laps and tracks. */
export function gatherEvidence(trace: Trace, speeds: SpeedModel | null): TraceEvidence {
  const last = trace.fixes.length - 1;
  const [glitches, mismatches] = [findPositionGlitches(trace), findSpeedMismatches(trace, speeds)];
  return {
    jumpTimesMs: [...glitches.jumpTimesMs, ...mismatches.jumpTimesMs],
    strayTimesMs: [...glitches.strayTimesMs, ...mismatches.strayTimesMs],
    cadence: trace.receiverIntervalMs === null ? measureCadence(trace.fixes.timesMs, 0, last) : null,
    decimals: countDecimals(trace.fixes),
  };
}

/** Finds for every lap the signs that it was not driven and measured as the file says. See docs/timing.md. */
export function checkTampering(file: ExaminedFile, spans: readonly LapSpan[]): Finding[][] {
  const ranges = spans.map(({ start, end }) => ({ first: start.fixIndex, last: end.fixIndex }));
  const repeated = repeatedShares(file.trace, ranges, file.evidence.decimals);
  const ratios = ranges.map(({ first, last }) =>
    speedDistanceRatio(file.trace, file.cumulativeMeters, first, last),
  );
  const usual = findUsualRatio(file, ratios);
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

/** Describes what the laps of a file have in common, where there are enough of them. */
type Usual = { ratio: number | null; areAlike: boolean };

function findUsualRatio(
  { trace, cumulativeMeters }: ExaminedFile,
  ratios: readonly (number | null)[],
): Usual {
  const known = ratios.filter((ratio) => ratio !== null);
  if (known.length < USUAL_LAPS_MIN) {
    const ofTrace = speedDistanceRatio(trace, cumulativeMeters, 0, trace.fixes.length - 1);
    return { ratio: ofTrace, areAlike: false };
  }
  const ratio = median(known) ?? 1;
  const spread = median(known.map((other) => Math.abs(other / ratio - 1))) ?? 0;
  return { ratio, areAlike: spread <= ALIKE_SPREAD };
}

/** Returns whether times, positions and speeds agree: in the whole file, and in this lap as in the others. */
function checkSpeeds(file: ExaminedFile, ratio: number | null, usual: Usual): Finding[] {
  if (ratio === null || usual.ratio === null) return [];
  const isGood = file.speeds !== null && file.speeds.residualMeters <= GOOD_RESIDUAL_METERS;
  const off = Math.abs(ratio / usual.ratio - 1);
  if (isGood && off > LAP_REJECTED) return [finding('speeds_disagree', 'rejected')];
  const disagree = off > (isGood ? LAP_TOLERANCE : LAP_TOLERANCE_OF_BAD_SPEEDS) || isScaled(file, usual);
  return disagree ? [finding('speeds_disagree', 'warning')] : [];
}

/** Returns whether all speeds of the file are too high or too low for its positions, or its clock too slow or too quick. */
function isScaled({ trace, speeds, evidence }: ExaminedFile, usual: Usual): boolean {
  if (speeds !== null) {
    const isEven = usual.areAlike && evidence.cadence !== null && !isOddCadence(evidence.cadence);
    return Math.abs(speeds.scale - 1) > (isEven ? EVEN_SCALE_TOLERANCE : SCALE_TOLERANCE);
  }
  const isQuick = trace.intervalMs !== null && trace.intervalMs <= QUICK_INTERVAL_MS;
  const tolerance = usual.areAlike && isQuick ? LAP_TOLERANCE_OF_BAD_SPEEDS : BAD_SPEEDS_TOLERANCE;
  return Math.abs((usual.ratio ?? 1) - 1) > tolerance;
}

function checkClock({ trace, evidence }: ExaminedFile, { start, end }: LapSpan): Finding[] {
  if (trace.clockSetBackTimesMs.some((timeMs) => timeMs > start.timeMs && timeMs < end.timeMs))
    return [finding('clock_changed', 'rejected')];
  const { cadence } = evidence;
  if (cadence === null) return [];
  const own = measureCadence(trace.fixes.timesMs, start.fixIndex, end.fixIndex);
  if (own !== null && !isSameCadence(own, cadence)) return [finding('clock_changed', 'rejected')];
  return isOddCadence(own ?? cadence) ? [finding('odd_clock', 'warning')] : [];
}

function checkPositions({ trace, evidence }: ExaminedFile, { start, end }: LapSpan): Finding[] {
  const findings: Finding[] = [];
  const isWithin = (timeMs: number): boolean =>
    timeMs >= at(trace.fixes.timesMs, Math.max(0, start.fixIndex - 1)) && timeMs <= end.timeMs;
  const reachMs = Math.max(WINDOW_MS, 2 * (trace.intervalMs ?? 0));
  const isAtLine = (timeMs: number): boolean =>
    [start, end].some((crossing) => Math.abs(timeMs - crossing.timeMs) <= reachMs);
  if (evidence.jumpTimesMs.some(isWithin) || evidence.strayTimesMs.some(isAtLine))
    findings.push(finding('impossible_jump', 'warning'));
  if (countImpossibleSeconds(trace, start.fixIndex, end.fixIndex) > IMPOSSIBLE_SECONDS_MAX)
    findings.push(finding('impossible_acceleration', 'rejected'));
  const filledInMs = longestInterpolatedMs(trace, evidence.decimals, start.fixIndex, end.fixIndex);
  if (filledInMs > 0)
    findings.push(finding('filled_in', filledInMs > FILLED_IN_MAX_MS ? 'rejected' : 'warning'));
  return findings;
}
