import { findBestLap } from '#engine/timing/laps.ts';
import type { Lap } from '#engine/timing/laps.ts';
import type { TimedLap } from '#contract/laps.ts';

/** A lap in whole milliseconds: the one place where times are rounded on their way out of the engine. */
export function roundLap(lap: Lap): TimedLap {
  const { number, status, reasons } = lap;
  return {
    number,
    lapTimeMs: Math.round(lap.lapTimeMs),
    // Upwards: a time must not look more certain than it is.
    uncertaintyMs: Math.ceil(lap.uncertaintyMs),
    status,
    reasons,
    sectorTimesMs: roundSectors(lap.sectorTimesMs),
  };
}

/** Rounds where the sectors end rather than what they take, so that whole sectors add up to the whole lap. */
function roundSectors(sectorTimesMs: readonly (number | null)[]): (number | null)[] {
  let endMs = 0;
  return sectorTimesMs.map((sectorTimeMs) => {
    if (sectorTimeMs === null) return null;
    const startMs = endMs;
    endMs += sectorTimeMs;
    return Math.round(endMs) - Math.round(startMs);
  });
}

/** How many of the laps are complete, and the best time of those that rank. */
export function summarizeLaps(laps: readonly Pick<TimedLap, 'status' | 'lapTimeMs'>[]): {
  lapCount: number;
  bestLapTimeMs: number | null;
} {
  return {
    lapCount: laps.filter(({ status }) => status !== 'incomplete').length,
    bestLapTimeMs: findBestLap(laps)?.lapTimeMs ?? null,
  };
}
