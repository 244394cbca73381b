import type { MeasuredTrace } from './crossings.ts';
import type { LapSpan } from './lap-spans.ts';
import type { Lap } from './laps.ts';
import { sectorTimesBetween } from './sectors.ts';
import { addUncertainties, lapUncertaintyParts } from './uncertainty.ts';

/** Measures the times of the lap between two crossings: start, lap time, its uncertainty and the sectors. */
export function measureLap(
  { trace, noise }: MeasuredTrace,
  { start, end }: LapSpan,
  sectorCrossings: number[][],
): Omit<Lap, 'number' | 'status' | 'reasons'> {
  const uncertaintyParts = lapUncertaintyParts(start, end, noise, trace);
  return {
    startTimeMs: start.timeMs,
    lapTimeMs: end.timeMs - start.timeMs,
    uncertaintyMs: addUncertainties(uncertaintyParts),
    uncertaintyParts,
    sectorTimesMs: sectorTimesBetween(sectorCrossings, start.timeMs, end.timeMs),
  };
}
