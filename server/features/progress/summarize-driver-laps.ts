import type { LapId } from '#contract/ids.ts';
import type { DriverLaps } from '#contract/progress/schemas.ts';
import type { TimedLap } from '#contract/laps/schemas.ts';
import { bestSectors } from '#engine/timing/best-sectors.ts';
import { listCleanLaps, measureSpread } from '#engine/timing/clean-laps.ts';
import { findBestLap, isRanking } from '#engine/timing/laps.ts';
import type { DrivenSession } from './driver-laps-store.ts';

type Lap = TimedLap & { lapId: LapId };

export function summarizeDriverLaps(
  sessions: readonly DrivenSession[],
  sectors: readonly string[],
): Pick<DriverLaps, 'best' | 'bestSectors' | 'theoreticalBestMs' | 'sessions'> {
  const ranking = sessions.toReversed().flatMap(({ laps }) => laps.filter(isRanking));
  const best = findBestLap(ranking);
  return {
    sessions: sessions.map(summarizeSession),
    best: best ? pickBest(best) : null,
    ...findBestSectors(ranking, sectors),
  };
}

function summarizeSession(session: DrivenSession): DriverLaps['sessions'][number] {
  const cleanLaps = new Set(listCleanLaps(session.laps));
  return {
    ...session,
    laps: session.laps.map((lap) => ({ ...lap, isClean: cleanLaps.has(lap) })),
    bestLapId: findBestLap(session.laps)?.lapId ?? null,
    spread: measureSpread([...cleanLaps]),
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
