import type { Crossing } from './crossings.ts';
import { at } from '../fix-columns.ts';
import type { LoggerLap } from '../lap-file.ts';
import type { Trace } from '../trace/trace.ts';

/** Whether a lap counts. Only `valid` and `warning` laps rank. */
export type LapStatus = 'valid' | 'warning' | 'rejected' | 'incomplete';

/** Why a lap does not count, or counts with a warning. */
export type LapReason =
  | 'gap_in_data'
  | 'impossible_jump'
  | 'wrong_direction'
  | 'too_short'
  | 'too_long'
  | 'off_track'
  | 'impossible_speed'
  | 'impossible_acceleration'
  | 'speeds_disagree'
  | 'filled_in'
  | 'repeated_positions'
  | 'clock_changed'
  | 'odd_clock'
  | 'coarse_time_stamps'
  | 'timed_by_logger'
  | 'out_lap'
  | 'in_lap';

/** One lap: from one pass over the start/finish line to the next. */
export type Lap = {
  /** 1 for the first lap of the file. */
  number: number;
  /** On the clock of the lap file. */
  startTimeMs: number;
  /** Milliseconds, fractions included; rounded once, when it leaves the engine. */
  lapTimeMs: number;
  /** Half width of the 95 % interval of `lapTimeMs`. */
  uncertaintyMs: number;
  status: LapStatus;
  /** Empty for a valid lap. */
  reasons: LapReason[];
  /** One entry per sector, null where a sector line was not passed; empty for a track without sector lines. */
  sectorTimesMs: (number | null)[];
};

/** From one pass over the start/finish line to the next in the same direction. */
export type LapSpan = { start: Crossing; end: Crossing; hasTurnedBack: boolean };

/**
 * A recording that stops for longer than this was stopped by somebody: the car has been in the pits, and what lies
 * between the two passes is no lap.
 */
export const PAUSE_MIN_MS = 60_000;

/**
 * The direction of most passes counts. Where they are as many, the one that was raced, unless both were: then that of the first.
 * Not always the faster one: long lines reach across other sections of the track.
 */
export function isMostlyForward(crossings: readonly Crossing[]): boolean {
  const forward = crossings.filter((crossing) => crossing.isForward);
  const backward = crossings.filter((crossing) => !crossing.isForward);
  if (forward.length !== backward.length) return forward.length > backward.length;
  const [forwardSpeed, backwardSpeed] = [topSpeed(forward), topSpeed(backward)];
  if (forwardSpeed > PADDOCK_RATIO * backwardSpeed) return true;
  if (backwardSpeed > PADDOCK_RATIO * forwardSpeed) return false;
  return crossings[0]?.isForward ?? true;
}

/** Nobody drives through a paddock a third as fast as over a start line. */
const PADDOCK_RATIO = 3;

function topSpeed(crossings: readonly Crossing[]): number {
  return crossings.reduce((most, { speedMetersPerSecond }) => Math.max(most, speedMetersPerSecond), 0);
}

/** The laps of a drive: between passes that follow each other without a pause. */
export function findLapSpans(trace: Trace, crossings: readonly Crossing[], isForward: boolean): LapSpan[] {
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

/** The longest time between two parts of the trace that lies between two passes; 0 where the trace does not break. */
export function longestGapMs(trace: Trace, start: Crossing, end: Crossing): number {
  const { timesMs } = trace.fixes;
  return trace.partStarts
    .filter((first) => first > start.fixIndex && first <= end.fixIndex)
    .reduce((longest, first) => Math.max(longest, at(timesMs, first) - at(timesMs, first - 1)), 0);
}

/** Whether a lap ranks, and may be anybody's best. */
export function isRanking(lap: Lap): boolean {
  return lap.status === 'valid' || lap.status === 'warning';
}

/**
 * What the logger itself has timed, where nothing better is to be had. It ranks, but with a warning. Laps of which only
 * the duration is known follow each other from `firstTimeMs`.
 */
export function lapsFromLogger(loggerLaps: readonly LoggerLap[], firstTimeMs: number): Lap[] {
  let clockMs = firstTimeMs;
  return loggerLaps.map(({ lapTimeMs, startTimeMs }, index) => {
    const start = startTimeMs ?? clockMs;
    clockMs = start + lapTimeMs;
    return {
      number: index + 1,
      startTimeMs: start,
      lapTimeMs,
      uncertaintyMs: LOGGER_UNCERTAINTY_MS,
      status: 'warning',
      reasons: ['timed_by_logger'],
      sectorTimesMs: [],
    };
  });
}

/** Loggers that time by the nearest fix are wrong by up to a fix; most write ten a second. */
const LOGGER_UNCERTAINTY_MS = 100;
