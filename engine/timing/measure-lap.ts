import type { MeasuredTrace } from './crossings.ts';
import type { LapSpan } from './lap-spans.ts';
import type { Lap } from './laps.ts';
import { sectorTimesBetween } from './sectors.ts';
import { lapUncertaintyMs } from './uncertainty.ts';

/** The times of the lap between two crossings: start, lap time, its uncertainty and the sectors. */
export function measureLap(
  { trace, noise }: MeasuredTrace,
  { start, end }: LapSpan,
  sectorCrossings: number[][],
): Omit<Lap, 'number' | 'status' | 'reasons'> {
  return {
    startTimeMs: start.timeMs,
    lapTimeMs: end.timeMs - start.timeMs,
    uncertaintyMs: lapUncertaintyMs(start, end, noise, trace),
    sectorTimesMs: sectorTimesBetween(sectorCrossings, start.timeMs, end.timeMs),
  };
}
