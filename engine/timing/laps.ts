import type { UncertaintyParts } from './uncertainty.ts';

/**
 * States whether a lap counts. Only `valid` and `warning` laps rank; those of them that were driven in a simulator are
 * `simulated`, which rank on boards of their own.
 */
export type LapStatus = 'valid' | 'warning' | 'simulated' | 'rejected' | 'incomplete';

/** Why a lap does not count, or counts with a warning. */
export type LapReason =
  | 'gap_in_data'
  | 'impossible_jump'
  | 'wrong_direction'
  | 'too_short'
  | 'too_long'
  | 'off_track'
  | 'impossible_speed'
  | 'slow_for_track'
  | 'impossible_acceleration'
  | 'speeds_disagree'
  | 'filled_in'
  | 'repeated_positions'
  | 'clock_changed'
  | 'odd_clock'
  | 'coarse_time_stamps'
  | 'timed_by_logger'
  | 'out_lap'
  | 'in_lap'
  | 'simulated';

export type Lap = {
  /** 1 for the first lap of the file. */
  number: number;
  /** Start on the clock of the lap file. */
  startTimeMs: number;
  /** Milliseconds, fractions included; rounded once, when it leaves the engine. */
  lapTimeMs: number;
  /** Half width of the 95 % interval of `lapTimeMs`. */
  uncertaintyMs: number;
  /** Components of the uncertainty; missing where the lap was not timed over a line. */
  uncertaintyParts?: UncertaintyParts;
  status: LapStatus;
  /** Empty for a valid lap. */
  reasons: LapReason[];
  /** One entry per sector, null where a sector line was not crossed; empty for a track without sector lines. */
  sectorTimesMs: (number | null)[];
};

/** The statuses of laps that rank. The server builds its queries from this list. */
export const RANKING_STATUSES = ['valid', 'warning'] as const satisfies readonly LapStatus[];

/** Returns whether a lap ranks, and may be a best lap. */
export function isRanking({ status }: Pick<Lap, 'status'>): boolean {
  return RANKING_STATUSES.some((ranking) => ranking === status);
}

/** Returns whether a lap may be on a board, that of simulators included. */
export function isForBoards(lap: Pick<Lap, 'status'>): boolean {
  return isRanking(lap) || lap.status === 'simulated';
}

/** Returns laps of a simulator as such: none ranks with real ones, and each says why. */
export function markSimulated<L extends Pick<Lap, 'status' | 'reasons'>>(laps: readonly L[]): L[] {
  return laps.map((lap) => ({
    ...lap,
    status: isRanking(lap) ? 'simulated' : lap.status,
    reasons: [...lap.reasons, 'simulated'],
  }));
}

/** Finds the best lap that ranks, the earliest of equal ones; undefined where none ranks. */
export function findBestLap<L extends Pick<Lap, 'status' | 'lapTimeMs'>>(laps: readonly L[]): L | undefined {
  return laps.filter(isRanking).toSorted((a, b) => a.lapTimeMs - b.lapTimeMs)[0];
}
