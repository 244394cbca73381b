import { driftAfter, estimateDrift, USUAL_DRIFT_METERS, type DriftEstimate } from './position-drift.ts';
import { at, type FixColumns } from '../fix-columns.ts';
import { METERS_PER_DEGREE, planeAround, wrapDegrees } from '../geo.ts';
import { findRepeatedLaps, type LapShift } from './repeated-laps.ts';
import type { SpeedModel } from '../trace/speed-model.ts';
import { MAD_PER_DEVIATION, median } from '../statistics.ts';
import { countDecimals, DECIMALS_MAX } from '../trace/coordinate-decimals.ts';
import type { Trace } from '../trace/trace.ts';

/** Describes how wrong the positions of a trace are, as far as the trace itself can tell. Standard deviations along one axis. */
export type PositionNoise = {
  /** White noise: independent at every fix. */
  whiteMeters: number;
  /** Changing slowly: by this much from one minute to the next. */
  driftMeters: number;
};

/**
 * Slow errors are assumed to be this large where nothing shows them: the middle of what 13 recordings by as many
 * receivers with good speeds show, which is 0.3 to 3.5 m. Receivers that measure less than five times a second are
 * phones and watches, which do worse.
 */
const DEFAULT_DRIFT_METERS = 0.9;
const SLOW_RECEIVER_DRIFT_METERS = 1.6;
/** If it shows, receivers are expected to be usual ones, as if so many more samples had shown it. */
const SLOW_RECEIVER_PRIOR_METERS = 1;
const PRIOR_SAMPLE_COUNT = 3;
/** No receiver without corrections has been seen to be better than this, by far. */
const DRIFT_MIN_METERS = 0.2;
const SLOW_INTERVAL_MS = 250;
/** So many fixes, spread over the trace, are enough for a median. */
const SAMPLE_SIZE = 3000;

/** Estimates the noise of a trace from what smooth driving cannot explain, and its drift from speeds and from laps beside each other. */
export function estimateNoise(trace: Trace, speeds: SpeedModel | null): PositionNoise {
  const isSlow =
    (trace.receiverIntervalMs ?? trace.intervalMs ?? Number.POSITIVE_INFINITY) >= SLOW_INTERVAL_MS;
  const roundingMeters = roundingNoise(trace.fixes);
  const { returns, shifts } = findRepeatedLaps(trace);
  const fromLaps = driftFromShifts(shifts);
  if (!isSlow && trace.receiverIntervalMs === null) {
    const whiteMeters = Math.max(thirdDifferenceNoise(trace), roundingMeters);
    const fromSpeeds = estimateDrift(trace, speeds, whiteMeters, returns);
    const seen = combineEstimates(fromLaps, fromSpeeds);
    return {
      whiteMeters,
      driftMeters: seen === null ? DEFAULT_DRIFT_METERS : weighWithPrior(seen, USUAL_DRIFT_METERS).meters,
    };
  }
  // Between fixes so far apart a car does what it likes; only its speed tells what the distance should have been.
  const fromSpeeds = speeds === null ? 0 : speeds.residualMeters / MAD_PER_DEVIATION / Math.SQRT2;
  const [unseenMeters, priorMeters] = isSlow
    ? [SLOW_RECEIVER_DRIFT_METERS, SLOW_RECEIVER_PRIOR_METERS]
    : [DEFAULT_DRIFT_METERS, USUAL_DRIFT_METERS];
  const driftMeters = fromLaps === null ? unseenMeters : weighWithPrior(fromLaps, priorMeters).meters;
  return { whiteMeters: Math.max(fromSpeeds, roundingMeters), driftMeters };
}

/**
 * Returns what two estimates come to that each take something else for drift as well, such as slow errors of the speeds
 * or another line in every corner: the smaller one where they differ. Where they agree their mean, each by its weight, since
 * the smaller of two is on average too small. In between, the larger one counts less and less, sooner where the smaller one
 * is known well.
 */
function combineEstimates(one: DriftEstimate | null, other: DriftEstimate | null): DriftEstimate | null {
  if (one === null || other === null) return one ?? other;
  // Compared as expected of a usual receiver, since few looks may show next to no drift.
  const [first, second] = [
    weighWithPrior(one, USUAL_DRIFT_METERS),
    weighWithPrior(other, USUAL_DRIFT_METERS),
  ];
  const isFirstSmaller = first.meters < second.meters;
  const doubtRatio = DOUBT_RATIO / Math.sqrt((isFirstSmaller ? first : second).sampleCount);
  const ratio = Math.max(first.meters, second.meters) / Math.min(first.meters, second.meters);
  const weight = Math.min(Math.max((ALIKE_RATIO + doubtRatio - ratio) / doubtRatio, 0), 1);
  const [smaller, larger] = isFirstSmaller ? [one, other] : [other, one];
  const sampleCount = smaller.sampleCount + weight * larger.sampleCount;
  const sum = smaller.sampleCount * smaller.meters ** 2 + weight * larger.sampleCount * larger.meters ** 2;
  return { meters: Math.sqrt(sum / sampleCount), sampleCount };
}

const ALIKE_RATIO = 1.5;
/** Estimates surely differ beyond this over the root of the samples of the smaller one. */
const DOUBT_RATIO = 3;

/**
 * Returns the measured drift and the one assumed of all receivers, each by its weight. Divides by two samples fewer than there
 * are: a spread known from few samples is wider than it seems (Student's distribution).
 */
function weighWithPrior(seen: DriftEstimate, priorMeters: number): DriftEstimate {
  const sum = PRIOR_SAMPLE_COUNT * priorMeters ** 2 + seen.sampleCount * seen.meters ** 2;
  const sampleCount = PRIOR_SAMPLE_COUNT + seen.sampleCount - 2;
  return { meters: Math.max(DRIFT_MIN_METERS, Math.sqrt(sum / sampleCount)), sampleCount };
}

/** Returns two looks for every lap that lies beside the next one: to the east and to the north. */
function driftFromShifts(shifts: readonly LapShift[]): DriftEstimate | null {
  if (shifts.length === 0) return null;
  const squares = shifts.map(({ seconds, eastMeters, northMeters, lineVariance }) => {
    const square = (eastMeters ** 2 + northMeters ** 2) / 2;
    const variance = square - LINE_SHARE * Math.min(square, lineVariance);
    return variance / MEAN_OVER_LAP_SHARE / driftAfter(1, seconds) ** 2;
  });
  const mean = squares.reduce((sum, square) => sum + square, 0) / squares.length;
  return { meters: Math.sqrt(mean), sampleCount: 2 * shifts.length };
}

/** The mean of drift over a lap differs from that over the next by this share of the variance from end to end. */
const MEAN_OVER_LAP_SHARE = 0.58;
/** The effect of lines is an estimate, in real recordings often of more than the whole shift: only this share is taken off. */
const LINE_SHARE = 0.5;

/** Returns the third differences of evenly timed positions: zero for a constant acceleration, √20 σ for white noise. */
function thirdDifferenceNoise(trace: Trace): number {
  const { fixes, intervalMs } = trace;
  if (fixes.length < 8 || intervalMs === null) return 0;
  const plane = planeAround({ lat: at(fixes.lats, 0), lon: at(fixes.lons, 0) });
  const differences: number[] = [];
  const stride = Math.max(1, Math.floor(fixes.length / SAMPLE_SIZE));
  for (let index = 0; index + 3 < fixes.length; index += stride) {
    const spanMs = at(fixes.timesMs, index + 3) - at(fixes.timesMs, index);
    if (Math.abs(spanMs - 3 * intervalMs) > intervalMs / 2) continue;
    differences.push(
      Math.abs(thirdDifference(fixes.lats, index) * plane.metersPerDegreeLat),
      Math.abs(wrapDegrees(thirdDifference(fixes.lons, index)) * plane.metersPerDegreeLon),
    );
  }
  return (median(differences) ?? 0) / MAD_PER_DEVIATION / Math.sqrt(20);
}

function thirdDifference(column: Float64Array, index: number): number {
  return at(column, index + 3) - at(column, index) + 3 * (at(column, index + 1) - at(column, index + 2));
}

/** Returns what rounding the coordinates to so many decimals costs: evenly spread over the last digit. */
function roundingNoise(fixes: FixColumns): number {
  const decimals = countDecimals(fixes);
  return decimals > DECIMALS_MAX ? 0 : METERS_PER_DEGREE / 10 ** decimals / Math.sqrt(12);
}
