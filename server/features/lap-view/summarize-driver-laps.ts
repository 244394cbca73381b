import type { LapId } from '#contract/ids.ts';
import type { DriverLaps } from '#contract/lap-view/driver-laps.ts';
import type { TimedLap } from '#contract/laps/schemas.ts';
import { bestSectors } from '#engine/timing/best-sectors.ts';
import { findBestLap, isRanking } from '#engine/timing/laps.ts';
import type { DrivenSession } from './driver-laps-store.ts';

type Lap = TimedLap & { lapId: LapId };

export function summarizeDriverLaps(
  sessions: readonly DrivenSession[],
  sectors: readonly string[],
): Pick<
  DriverLaps,
  'best' | 'bestSectors' | 'theoreticalBestMs' | 'consistency' | 'bestsOverTime' | 'sessions'
> {
  const inOrder = sessions.toReversed();
  const ranking = inOrder.flatMap(({ laps }) => laps.filter(isRanking));
  const best = findBestLap(ranking);
  return {
    sessions: sessions.map((session) => ({
      ...session,
      bestLapId: findBestLap(session.laps)?.lapId ?? null,
    })),
    best: best ? pickBest(best) : null,
    ...findBestSectors(ranking, sectors),
    consistency: measureConsistency(ranking.map(({ lapTimeMs }) => lapTimeMs)),
    bestsOverTime: listBestsOverTime(inOrder),
  };
}

function pickBest({ lapId, lapTimeMs, sectorTimesMs }: Lap): NonNullable<DriverLaps['best']> {
  return { lapId, lapTimeMs, sectorTimesMs };
}

/** Finds the best time of every sector and its lap; empty where a sector was never timed. */
function findBestSectors(
  laps: readonly Lap[],
  names: readonly string[],
): Pick<DriverLaps, 'bestSectors' | 'theoreticalBestMs'> {
  // A lap that waits for retiming on a corrected track has other sectors.
  const comparable = laps.filter(({ sectorTimesMs }) => sectorTimesMs.length === names.length);
  // Lap numbers are unique within a file only, so the laps of all files are numbered here.
  const { sectors, theoreticalBestMs } = bestSectors(comparable.map((lap, number) => ({ ...lap, number })));
  if (theoreticalBestMs === null) return { bestSectors: [], theoreticalBestMs };
  const named = sectors.flatMap((best, sector) => {
    const [name, lapId] = [names[sector], best && comparable[best.lapNumber]?.lapId];
    return best && name !== undefined && lapId ? [{ name, timeMs: best.sectorTimeMs, lapId }] : [];
  });
  return { bestSectors: named, theoreticalBestMs };
}

// Quartiles of fewer laps are meaningless.
const CONSISTENCY_LAPS_MIN = 5;

function measureConsistency(lapTimesMs: readonly number[]): DriverLaps['consistency'] {
  const lapCount = lapTimesMs.length;
  if (lapCount < CONSISTENCY_LAPS_MIN) return null;
  const sorted = lapTimesMs.toSorted((a, b) => a - b);
  return {
    lapCount,
    medianMs: Math.round(quantile(sorted, 0.5)),
    spreadMs: Math.round(quantile(sorted, 0.75) - quantile(sorted, 0.25)),
  };
}

/** Interpolates linearly between the two neighbouring values. */
function quantile(sorted: readonly number[], share: number): number {
  const position = share * (sorted.length - 1);
  const index = Math.floor(position);
  const [low = Number.NaN, high = low] = [sorted[index], sorted[index + 1]];
  return low + (position - index) * (high - low);
}

/** Lists every lap that was the best so far, for each pair of car model and tyre category. */
function listBestsOverTime(inOrder: readonly DrivenSession[]): DriverLaps['bestsOverTime'] {
  const fastest = new Map<string, number>();
  return inOrder.flatMap(({ laps, carModelId, carModel, tireCompound, sessionDate }) => {
    const key = `${carModelId} ${tireCompound}`;
    return laps.filter(isRanking).flatMap(({ lapId, lapTimeMs }) => {
      if (lapTimeMs >= (fastest.get(key) ?? Number.POSITIVE_INFINITY)) return [];
      fastest.set(key, lapTimeMs);
      return [{ lapId, lapTimeMs, sessionDate, carModel, tireCompound }];
    });
  });
}
