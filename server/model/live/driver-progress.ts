import { z } from 'zod';
import { type LiveFix, liveDriverSchema } from '#contract/live/schemas.ts';
import { distanceMeters, type Position } from '#engine/geo.ts';
import type { LiveEvent, LiveLap } from '#engine/live/live-state.ts';

// A driver's laps as those who watch see them, from what the engine's live timing finds.

const sectorTimes = z.array(z.number().nullable());

const progressSchema = liveDriverSchema
  .omit({ number: true, name: true, car: true, showsLine: true, seenAt: true })
  .extend({
    /** The running lap started at this time; null before the first crossing, and after a stop in the pits. */
    lapStartedAt: z.number().nullable(),
    lapCount: z.int(),
    /** The car has been slow since this time; null while it is not. */
    slowSince: z.number().nullable(),
    previous: z.object({ at: z.number(), lat: z.number(), lon: z.number() }).nullable(),
    /** A page shows these sectors while the car is in the pits. */
    lastSectors: sectorTimes,
    /** Holds the best of the laps whose times are final. */
    finalBests: z.object({ lapMs: z.number().nullable(), sectors: sectorTimes }),
    /** Holds the last lap until its time is final, half a second after the line. */
    pending: z.object({ endedAt: z.number(), lapMs: z.number(), sectors: sectorTimes }).nullable(),
  });

export type DriverProgress = z.infer<typeof progressSchema>;

export const parseProgress = (stored: unknown): DriverProgress => progressSchema.parse(stored);

/** Returns a driver who has not been on the track yet. */
export function beginProgress(sectorCount: number, at: number): DriverProgress {
  const none = Array.from({ length: sectorCount }, () => null);
  return {
    state: 'pits',
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
    lastSectors: none,
    finalBests: { lapMs: null, sectors: none },
    pending: null,
  };
}

/** Says when the fix came that brought the event, and whether the track ends at a finish line. */
type EventContext = { at: number; isStage: boolean };

/** Returns the progress after something that the engine has found. */
export function addEvent(progress: DriverProgress, event: LiveEvent, context: EventContext): DriverProgress {
  switch (event.kind) {
    case 'start':
      return startLap(progress, event.timeMs);
    case 'sector':
      return endSector(progress, event.sector.sectorIndex, event.sector.sectorTimeMs, context.at);
    case 'lap': {
      if (event.lap.isFinal) return settleLap(progress, event.lap);
      const ended = endLap(progress, event.lap);
      return context.isStage ? leaveCourse(ended, context.at) : ended;
    }
    default:
      return { ...progress, sectorStartedAt: null };
  }
}

function startLap(progress: DriverProgress, at: number): DriverProgress {
  const lapCount = progress.lapCount + 1;
  return {
    ...progress,
    state: 'on_track',
    stateSince: progress.state === 'on_track' ? progress.stateSince : at,
    slowSince: null,
    lap: lapCount,
    lapCount,
    lapStartedAt: at,
    sectorStartedAt: at,
    sectors: progress.sectors.map(() => null),
  };
}

function leaveCourse(progress: DriverProgress, at: number): DriverProgress {
  return { ...progress, state: 'out_lap', stateSince: at, lapStartedAt: null, sectorStartedAt: null };
}

function endSector(
  progress: DriverProgress,
  sector: number,
  timeMs: number | null,
  at: number,
): DriverProgress {
  if (progress.lapStartedAt === null || sector >= progress.sectors.length) return progress;
  const rounded = round(timeMs);
  const best = progress.bestSectors[sector] ?? null;
  const ended = { ...progress, sectors: progress.sectors.with(sector, rounded), sectorStartedAt: at };
  // The first time of a sector is no improvement.
  if (rounded === null || best === null || rounded >= best) return withBests(ended);
  return withBests({ ...ended, highlight: { at, sector, timeMs: rounded, gainMs: best - rounded } });
}

/** Ends a lap at the first time that is known of it. A lap with a hole or with a stop in the pits has none. */
function endLap(progress: DriverProgress, lap: LiveLap): DriverProgress {
  const settled = settlePending(progress);
  if (!lap.counts || progress.lapStartedAt === null) return { ...settled, isLastBest: false };
  const lapMs = Math.round(lap.lapTimeMs);
  const endedAt = lap.startTimeMs + lap.lapTimeMs;
  const { bestMs } = settled;
  const isLastBest = bestMs === null || lapMs < bestMs;
  const pending = { endedAt, lapMs, sectors: lap.sectorTimesMs.map(round) };
  const gainMs = bestMs === null ? null : bestMs - lapMs;
  const highlight = isLastBest ? { at: endedAt, sector: null, timeMs: lapMs, gainMs } : settled.highlight;
  return withBests({
    ...settled,
    lastMs: lapMs,
    isLastBest,
    highlight,
    pending,
    lastSectors: shown(settled, pending.sectors),
  });
}

/** Returns one time for each sector of the track. */
const shown = ({ sectors }: DriverProgress, times: readonly (number | null)[]): (number | null)[] =>
  sectors.map((_, sector) => times[sector] ?? null);

/** Takes the final time of the last lap over. */
function settleLap(progress: DriverProgress, { lapTimeMs, sectorTimesMs }: LiveLap): DriverProgress {
  const { pending, highlight } = progress;
  if (pending === null) return progress;
  const lapMs = Math.round(lapTimeMs);
  const isOfLap = highlight !== null && highlight.sector === null && highlight.at === pending.endedAt;
  return settlePending({
    ...progress,
    lastMs: lapMs,
    highlight: isOfLap ? { ...highlight, timeMs: lapMs } : highlight,
    pending: { ...pending, lapMs, sectors: sectorTimesMs.map(round) },
  });
}

function settlePending(progress: DriverProgress): DriverProgress {
  const { pending, finalBests } = progress;
  if (pending === null) return progress;
  return withBests({
    ...progress,
    finalBests: {
      lapMs: smaller(finalBests.lapMs, pending.lapMs),
      sectors: finalBests.sectors.map((best, sector) => smaller(best, pending.sectors[sector])),
    },
    pending: null,
  });
}

/** Counts in what is not final yet. */
function withBests(progress: DriverProgress): DriverProgress {
  const { finalBests, pending, sectors } = progress;
  return {
    ...progress,
    bestMs: smaller(finalBests.lapMs, pending?.lapMs),
    bestSectors: finalBests.sectors.map((best, sector) =>
      smaller(smaller(best, pending?.sectors[sector]), sectors[sector]),
    ),
  };
}

const smaller = (a: number | null, b: number | null | undefined): number | null =>
  a === null || b === null || b === undefined ? (a ?? b ?? null) : Math.min(a, b);

const round = (timeMs: number | null): number | null => (timeMs === null ? null : Math.round(timeMs));

const SLOW_METERS_PER_SECOND = 3;
const MOVING_METERS_PER_SECOND = 8;
// A spin or the grid of a start is over sooner.
const PITS_AFTER_MS = 20_000;
const SPEED_WINDOW_MIN_MS = 900;

/** Returns the progress after a fix, by which a stop in the pits begins or ends. */
export function addFix(progress: DriverProgress, [at, lat, lon, speed]: LiveFix): DriverProgress {
  const { previous } = progress;
  if (previous !== null && at - previous.at < SPEED_WINDOW_MIN_MS) return progress;
  const position = { at, lat, lon };
  const here = { ...progress, previous: position };
  const speedNow = speed ?? speedBetween(previous, position);
  if (speedNow > MOVING_METERS_PER_SECOND) return startMoving(here, at);
  if (speedNow > SLOW_METERS_PER_SECOND) return here;
  const slowSince = here.slowSince ?? at;
  if (here.state === 'pits' || at - slowSince < PITS_AFTER_MS) return { ...here, slowSince };
  return {
    ...here,
    slowSince,
    state: 'pits',
    stateSince: slowSince,
    sectors: here.lastSectors,
    lapStartedAt: null,
    sectorStartedAt: null,
  };
}

function speedBetween(from: (Position & { at: number }) | null, to: Position & { at: number }): number {
  return from === null ? 0 : distanceMeters(from, to) / ((to.at - from.at) / 1000);
}

function startMoving(progress: DriverProgress, at: number): DriverProgress {
  const moving = { ...progress, slowSince: null };
  return progress.state === 'pits' ? { ...moving, state: 'out_lap', stateSince: at } : moving;
}
