import type { Lap } from './laps.ts';

type LapTimes = Pick<Lap, 'lapTimeMs' | 'uncertaintyMs' | 'sectorTimesMs'>;

/** Returns the times of a lap in whole milliseconds: the one place where times are rounded on their way out of the engine. */
export function roundTimes({ lapTimeMs, uncertaintyMs, sectorTimesMs }: LapTimes): LapTimes {
  return {
    lapTimeMs: Math.round(lapTimeMs),
    // The uncertainty is rounded upwards: a time must not look more certain than it is.
    uncertaintyMs: Math.ceil(uncertaintyMs),
    sectorTimesMs: roundSectors(sectorTimesMs),
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
