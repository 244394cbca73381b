import type { TrackId } from '#contract/ids.ts';
import type { NewEvent } from '#server/model/events/event-kinds.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { countAhead, type DriverBest, isRanking, listBestsBetween } from './rank-store.ts';

/**
 * Selects the recorded events of a change of laps: all, only those of laps that no longer count (a retiming changes
 * many laps a little), or none (the older sessions of demo drivers).
 */
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
  { userId, sessionId, lapId, lapTimeMs }: DriverBest,
  previous: DriverBest | null,
): Promise<NewEvent[]> {
  const previousLapTimeMs = previous?.lapTimeMs ?? null;
  const { ahead, equal, aheadOfPrevious } = await countAhead(tx, trackId, { lapTimeMs, previousLapTimeMs });
  // Drivers of equal times share a rank: those with the time of the previous lap are one rank behind now.
  const between = { afterMs: lapTimeMs, untilMs: previousLapTimeMs, limit: OVERTAKEN_MAX };
  const overtaken = await listBestsBetween(tx, trackId, between);
  const events: NewEvent[] = [
    {
      kind: 'personal_best',
      userId,
      otherUserId: null,
      sessionId,
      payload: {
        lapId,
        lapTimeMs,
        previousLapTimeMs,
        rank: ahead + 1,
        // The driver is among those who are faster than the previous lap.
        previousRank: previous === null ? null : aheadOfPrevious,
      },
    },
  ];
  if (ahead === 0 && equal === 1) {
    // Without an overtaken driver, this one has beaten their own record, or is the first on the board.
    const holder = overtaken[0];
    events.push({
      kind: 'record_set',
      userId,
      otherUserId: holder?.userId ?? null,
      sessionId,
      payload: { lapId, lapTimeMs, previousLapTimeMs: holder?.lapTimeMs ?? previousLapTimeMs },
    });
  }
  for (const other of overtaken) {
    const fasterCount = overtaken.filter((one) => one.lapTimeMs < other.lapTimeMs).length;
    const rank = ahead + equal + fasterCount + 1;
    events.push({
      kind: 'rank_lost',
      userId: other.userId,
      otherUserId: userId,
      sessionId,
      payload: {
        lapTimeMs: other.lapTimeMs,
        rank,
        previousRank: rank - 1,
        otherLapId: lapId,
        otherLapTimeMs: lapTimeMs,
      },
    });
  }
  return events;
}
