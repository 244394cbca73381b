import type { TrackId } from '#contract/ids.ts';

type Best = { trackId: TrackId; lapTime: number };
type Visit = { trackId: TrackId; best: { topLap: number } | null };

/** Finds the best lap of a car that is closest to the record of its track, in percent; null without laps. */
export function findClosestToRecord<T extends Best>(bests: readonly T[], visits: readonly Visit[]): T | null {
  const shares = bests.map((best) => {
    const record = visits.find(({ trackId }) => trackId === best.trackId)?.best?.topLap;
    return { best, share: record === undefined ? Infinity : best.lapTime / record };
  });
  return shares.toSorted((a, b) => (a.share < b.share ? -1 : 1))[0]?.best ?? null;
}
