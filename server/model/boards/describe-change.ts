import type { TrackId } from '#contract/ids.ts';
import type { NewEvent } from '#server/model/events/event-kinds.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { countAhead, type DriverBest, isRanking, listBestsBetween } from './rank-store.ts';

/** Selects the recorded events: all, only of laps that no longer count (retiming), or none (older demo sessions). */
export type RecordedEvents = 'all' | 'removals' | 'none';

// Only drivers directly behind get the event. Without a limit, a first lap at the top of a board would write an event for every
// driver on it, while all other uploads to the track wait.
const OVERTAKEN_MAX = 10;

/** Returns the events of drivers' best laps on a track between `before` and `after`. */
export async function describeChange(
  tx: Database,
  trackId: TrackId,
  { before, after, recorded }: { before: DriverBest[]; after: DriverBest[]; recorded: RecordedEvents },
): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (const userId of new Set([...before, ...after].map((best) => best.userId))) {
    const previous = before.find((best) => best.userId === userId) ?? null;
    const best = after.find((one) => one.userId === userId) ?? null;
    if (best !== null && best.lapTimeMs < (previous?.lapTimeMs ?? Infinity)) {
      if (recorded === 'all') events.push(...(await describeGain(tx, trackId, best, previous)));
    } else if (previous !== null && (await isRemoved(tx, trackId, previous, best))) {
      events.push(describeRemoval(previous, best));
    }
  }
  return events;
}

async function isRemoved(
  tx: Database,
  trackId: TrackId,
  { lapId }: DriverBest,
  next: DriverBest | null,
): Promise<boolean> {
  return lapId !== next?.lapId && !(await isRanking(tx, trackId, lapId));
}

function describeRemoval({ userId, lapId, lapTimeMs }: DriverBest, next: DriverBest | null): NewEvent {
  const payload = { lapId, lapTimeMs, nextLapTimeMs: next?.lapTimeMs ?? null };
  return { kind: 'lap_removed', userId, otherUserId: null, sessionId: null, payload };
}

async function describeGain(
  tx: Database,
  trackId: TrackId,
  best: DriverBest,
  previous: DriverBest | null,
): Promise<NewEvent[]> {
  const { lapTimeMs } = best;
  const previousLapTimeMs = previous?.lapTimeMs ?? null;
  const counts = await countAhead(tx, trackId, { lapTimeMs, previousLapTimeMs });
  // Drivers of equal times share a rank: those with the time of the previous lap are one rank behind now.
  const between = { afterMs: lapTimeMs, untilMs: previousLapTimeMs, limit: OVERTAKEN_MAX };
  const overtaken = await listBestsBetween(tx, trackId, between);
  const isRecord = counts.ahead === 0 && counts.equal === 1;
  return [
    describePersonalBest(best, previous, counts),
    ...(isRecord ? [describeRecord(best, previous, overtaken[0])] : []),
    ...overtaken.map((other) => describeLostRank(other, best, findRank(other, overtaken, counts))),
  ];
}

type Counts = Awaited<ReturnType<typeof countAhead>>;
type Overtaken = Awaited<ReturnType<typeof listBestsBetween>>[number];

function describePersonalBest(
  { userId, sessionId, lapId, lapTimeMs }: DriverBest,
  previous: DriverBest | null,
  { ahead, aheadOfPrevious }: Counts,
): NewEvent {
  const payload = {
    lapId,
    lapTimeMs,
    previousLapTimeMs: previous?.lapTimeMs ?? null,
    rank: ahead + 1,
    // The driver is among those who are faster than the previous lap.
    previousRank: previous === null ? null : aheadOfPrevious,
  };
  return { kind: 'personal_best', userId, otherUserId: null, sessionId, payload };
}

/** Describes a new record. A driver who has beaten their own record, or is the first on the board, takes it from no holder. */
function describeRecord(
  { userId, sessionId, lapId, lapTimeMs }: DriverBest,
  previous: DriverBest | null,
  holder: Overtaken | undefined,
): NewEvent {
  const previousLapTimeMs = (holder ?? previous)?.lapTimeMs ?? null;
  const payload = { lapId, lapTimeMs, previousLapTimeMs };
  return { kind: 'record_set', userId, otherUserId: holder?.userId ?? null, sessionId, payload };
}

function describeLostRank(
  { userId, lapTimeMs }: Overtaken,
  { userId: otherUserId, sessionId, lapId, lapTimeMs: otherLapTimeMs }: DriverBest,
  rank: number,
): NewEvent {
  const payload = { lapTimeMs, rank, previousRank: rank - 1, otherLapId: lapId, otherLapTimeMs };
  return { kind: 'rank_lost', userId, otherUserId, sessionId, payload };
}

function findRank(driver: Overtaken, overtaken: readonly Overtaken[], { ahead, equal }: Counts): number {
  return ahead + equal + overtaken.filter(({ lapTimeMs }) => lapTimeMs < driver.lapTimeMs).length + 1;
}
