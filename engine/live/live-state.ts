/** Says what the timing knows about the running lap. `out-lap` until the first crossing, `hole` until the crossing after a lost signal. */
export type LivePhase = 'waiting' | 'out-lap' | 'timed' | 'hole';

/** Describes a lap that has ended. Its time is a preview until `isFinal`: half a second after the line, when the fixes behind it are known. */
export type LiveLap = {
  /** Counts from 1; laps with a hole count too. */
  number: number;
  startTimeMs: number;
  lapTimeMs: number;
  /** True where the signal was lost somewhere in the lap: the car may have driven more than one lap since, so it is never the best. */
  hasHole: boolean;
  /** True where it is whole and about as long as the track, as far as that is known: only such a lap can be the best. */
  counts: boolean;
  sectorTimesMs: (number | null)[];
  isFinal: boolean;
};

/** Describes a sector that has ended. */
export type LiveSector = { lapNumber: number; sectorIndex: number; sectorTimeMs: number | null };

/** Describes the timing after a fix; null for what is unknown. One object, which the next fix replaces. */
export type LiveState = {
  phase: LivePhase;
  /** Number of the running lap; 0 before the first crossing. */
  lapNumber: number;
  /** UTC of the last crossing of the start line, epoch milliseconds. */
  lapStartTimeMs: number | null;
  /** Time since then at the last fix. */
  elapsedMs: number | null;
  speedMetersPerSecond: number | null;
  /** Index of the running sector, from 0. */
  sectorIndex: number;
  /** Sector times of the running lap that have ended. */
  sectorTimesMs: (number | null)[];
  /** Later than the reference lap at the same place: above zero is slower. Null without a reference, off its line, or after a hole. */
  gapMs: number | null;
  /** The gap at the last line that was passed, that of the whole lap where it was its end; null where none is known. */
  lineGapMs: number | null;
  /** The reference lap's time and the gap. */
  predictedLapTimeMs: number | null;
  /** Distance along the reference lap. */
  metersAlong: number | null;
  lastLap: LiveLap | null;
  bestLapTimeMs: number | null;
};

/** Says what a fix has brought about. A lap comes twice: at once, and again when it is final. */
export type LiveEvent =
  | { kind: 'start'; timeMs: number }
  | { kind: 'sector'; sector: LiveSector }
  | { kind: 'lap'; lap: LiveLap }
  | { kind: 'hole' };
