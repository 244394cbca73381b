import { isRanking, type Lap } from './laps.ts';

export type BestSector = { sectorTimeMs: number; lapNumber: number };

export type BestSectors = {
  /** One per sector, null where no ranking lap has a time for it; empty for a track without sector lines. */
  sectors: (BestSector | null)[];
  /** The sum of the best sectors: what the driver could have driven. Null unless every sector has one. */
  theoreticalBestMs: number | null;
};

type SectorLap = Pick<Lap, 'number' | 'status' | 'sectorTimesMs'>;

/** Returns the best sectors of the laps that rank; of equal times, the earlier. */
export function bestSectors(laps: readonly SectorLap[]): BestSectors {
  const ranking = laps.filter(isRanking);
  const count = Math.max(0, ...ranking.map((lap) => lap.sectorTimesMs.length));
  const sectors = Array.from({ length: count }, (_, sector) => findBest(ranking, sector));
  const known = sectors.filter((best) => best !== null);
  const isWhole = count > 0 && known.length === count;
  return {
    sectors,
    theoreticalBestMs: isWhole ? known.reduce((sum, best) => sum + best.sectorTimeMs, 0) : null,
  };
}

function findBest(laps: readonly SectorLap[], sector: number): BestSector | null {
  let best: BestSector | null = null;
  for (const { number, sectorTimesMs } of laps) {
    const sectorTimeMs = sectorTimesMs[sector] ?? null;
    if (sectorTimeMs === null || (best !== null && best.sectorTimeMs <= sectorTimeMs)) continue;
    best = { sectorTimeMs, lapNumber: number };
  }
  return best;
}
