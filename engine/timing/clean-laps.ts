import { isRanking, type Lap } from './laps.ts';

type DrivenLap = Pick<Lap, 'status' | 'lapTimeMs'> & { reasons: readonly string[] };

/** The spread of the clean laps of one session. */
export type LapSpread = { lapCount: number; medianMs: number; spreadMs: number | null };

// A lap slower than 107 % of the best is no attempt; Formula 1 uses this share for qualifying.
const CLEAN_SHARE_MAX = 1.07;
// The spread of fewer laps says nothing about a driver.
const SPREAD_LAPS_MIN = 5;

/** Lists the laps of one session that rank within 107 % of its best; out and in laps are left out, whatever their status. */
export function listCleanLaps<L extends DrivenLap>(laps: readonly L[]): L[] {
  const driven = laps.filter((lap) => isRanking(lap) && !lap.reasons.some(isStintEnd));
  const bestMs = Math.min(...driven.map(({ lapTimeMs }) => lapTimeMs));
  return driven.filter(({ lapTimeMs }) => lapTimeMs <= bestMs * CLEAN_SHARE_MAX);
}

/**
 * Measures the clean laps of one session: half of them lie within `spreadMs` of the median. Null without a lap; the spread
 * is null with fewer than five.
 */
export function measureSpread(cleanLaps: readonly Pick<Lap, 'lapTimeMs'>[]): LapSpread | null {
  const lapCount = cleanLaps.length;
  if (lapCount === 0) return null;
  const timesMs = cleanLaps.map(({ lapTimeMs }) => lapTimeMs);
  const medianMs = findMiddle(timesMs);
  const spreadMs = findMiddle(timesMs.map((lapTimeMs) => Math.abs(lapTimeMs - medianMs)));
  return {
    lapCount,
    medianMs: Math.round(medianMs),
    spreadMs: lapCount < SPREAD_LAPS_MIN ? null : Math.round(spreadMs),
  };
}

function isStintEnd(reason: string): boolean {
  return reason === 'out_lap' || reason === 'in_lap';
}

/** Returns the middle value, or the mean of the two middle ones. */
function findMiddle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [low = Number.NaN, high = low] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return (low + high) / 2;
}
