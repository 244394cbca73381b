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
