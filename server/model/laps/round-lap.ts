import { findBestLap, type Lap } from '#engine/timing/laps.ts';
import { roundTimes } from '#engine/timing/round-times.ts';
import type { TimedLap } from '#contract/laps/schemas.ts';

export function roundLap(lap: Lap): TimedLap {
  const { number, status, reasons } = lap;
  return { number, status, reasons, ...roundTimes(lap) };
}

/** Counts the complete laps, and finds the best time of those that rank. */
export function summarizeLaps(laps: readonly Pick<TimedLap, 'status' | 'lapTimeMs'>[]): {
  lapCount: number;
  bestLapTimeMs: number | null;
} {
  return {
    lapCount: laps.filter(({ status }) => status !== 'incomplete').length,
    bestLapTimeMs: findBestLap(laps)?.lapTimeMs ?? null,
  };
}
