import { z } from 'zod';
import type { LiveFix } from '#contract/live/schemas.ts';
import { LIVE_STATES } from '#contract/live/labels.ts';
import { liveDriverSchema } from '#contract/live/schemas.ts';

// A driver's laps as those who watch see them, from crossings that the engine found.

const progressSchema = liveDriverSchema
  .omit({ number: true, name: true, car: true, showsLine: true, seenAt: true })
  .extend({
    /** The start of the running lap; null before the first crossing, and after a stop in the pits. */
    lapStartedAt: z.number().nullable(),
    lapCount: z.int(),
    /** Since when the car has been slow; null while it is not. */
    slowSince: z.number().nullable(),
    previous: z.object({ at: z.number(), lat: z.number(), lon: z.number() }).nullable(),
  });

export type DriverProgress = z.infer<typeof progressSchema>;

export const parseProgress = (stored: unknown): DriverProgress => progressSchema.parse(stored);

/** A crossing of the start line, with the lap that it ends, or of the line that ends a sector. */
export type Crossing =
  | { kind: 'start'; at: number; lapMs: number | null; lastSectorMs: number | null }
  | { kind: 'finish'; at: number; lapMs: number | null; lastSectorMs: number | null }
  | { kind: 'sector'; at: number; sector: number; sectorMs: number | null };

/** Returns a driver who has not been on the track yet. */
export function beginProgress(sectorCount: number, at: number): DriverProgress {
  const none = Array.from({ length: sectorCount }, () => null);
  return {
    state: LIVE_STATES[0],
    stateSince: at,
    lap: null,
    sectors: none,
    sectorStartedAt: null,
    lastMs: null,
    bestMs: null,
    bestSectors: none,
    isLastBest: false,
    highlight: null,
    lapStartedAt: null,
    lapCount: 0,
    slowSince: at,
    previous: null,
  };
}

/** Returns the progress after a crossing. A lap with a stop in the pits has no time. */
export function addCrossing(progress: DriverProgress, crossing: Crossing): DriverProgress {
  if (crossing.kind === 'sector') return endSector(progress, crossing);
  const ended = progress.lapStartedAt === null ? progress : endLap(progress, crossing);
  if (crossing.kind === 'finish')
    return { ...ended, state: 'out_lap', stateSince: crossing.at, lapStartedAt: null, sectorStartedAt: null };
  const lapCount = ended.lapCount + 1;
  return {
    ...ended,
    state: 'on_track',
    stateSince: progress.state === 'on_track' ? progress.stateSince : crossing.at,
    slowSince: null,
    lap: lapCount,
    lapCount,
    lapStartedAt: crossing.at,
    sectorStartedAt: crossing.at,
    sectors: ended.sectors.map(() => null),
  };
}

function endSector(
  progress: DriverProgress,
  { at, sector, sectorMs }: { at: number; sector: number; sectorMs: number | null },
): DriverProgress {
  if (progress.lapStartedAt === null) return progress;
  const sectors = progress.sectors.with(sector, sectorMs);
  return { ...improveSector({ ...progress, sectors }, { at, sector, sectorMs }), sectorStartedAt: at };
}

function improveSector(
  progress: DriverProgress,
  { at, sector, sectorMs }: { at: number; sector: number; sectorMs: number | null },
): DriverProgress {
  const best = progress.bestSectors[sector] ?? null;
  if (sectorMs === null || (best !== null && best <= sectorMs)) return progress;
  const bestSectors = progress.bestSectors.with(sector, sectorMs);
  // The first time of a sector is no improvement.
  if (best === null) return { ...progress, bestSectors };
  return { ...progress, bestSectors, highlight: { at, sector, timeMs: sectorMs, gainMs: best - sectorMs } };
}

function endLap(
  progress: DriverProgress,
  { at, lapMs, lastSectorMs }: { at: number; lapMs: number | null; lastSectorMs: number | null },
): DriverProgress {
  const last = progress.sectors.length - 1;
  const ended = last < 0 ? progress : endSector(progress, { at, sector: last, sectorMs: lastSectorMs });
  if (lapMs === null) return ended;
  const { bestMs } = ended;
  const isBest = bestMs === null || lapMs < bestMs;
  if (!isBest) return { ...ended, lastMs: lapMs, isLastBest: false };
  const gainMs = bestMs === null ? null : bestMs - lapMs;
  return {
    ...ended,
    lastMs: lapMs,
    bestMs: lapMs,
    isLastBest: true,
    highlight: { at, sector: null, timeMs: lapMs, gainMs },
  };
}

const SLOW_METERS_PER_SECOND = 3;
const MOVING_METERS_PER_SECOND = 8;
// A spin or the grid of a start is over sooner.
const PITS_AFTER_MS = 20_000;
const SPEED_WINDOW_MIN_MS = 900;

/** Returns the progress after a fix, by which a stop in the pits begins or ends. `metersBetween` is given two positions. */
export function addFix(
  progress: DriverProgress,
  [at, lat, lon, speed]: LiveFix,
  metersBetween: (a: Position, b: Position) => number,
): DriverProgress {
  const { previous } = progress;
  if (previous !== null && at - previous.at < SPEED_WINDOW_MIN_MS) return progress;
  const position = { at, lat, lon };
  const driven = previous === null ? 0 : metersBetween(previous, position) / ((at - previous.at) / 1000);
  const speedNow = speed ?? driven;
  const here = { ...progress, previous: position };
  if (speedNow > MOVING_METERS_PER_SECOND) return startMoving(here, at);
  if (speedNow > SLOW_METERS_PER_SECOND) return here;
  const slowSince = here.slowSince ?? at;
  if (here.state === 'pits' || at - slowSince < PITS_AFTER_MS) return { ...here, slowSince };
  return {
    ...here,
    slowSince,
    state: 'pits',
    stateSince: slowSince,
    lapStartedAt: null,
    sectorStartedAt: null,
  };
}

type Position = { lat: number; lon: number };

function startMoving(progress: DriverProgress, at: number): DriverProgress {
  const moving = { ...progress, slowSince: null };
  return progress.state === 'pits' ? { ...moving, state: 'out_lap', stateSince: at } : moving;
}
