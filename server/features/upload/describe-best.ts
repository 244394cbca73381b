import type { FastifyBaseLogger } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import type { UploadBest, UploadResult } from '#contract/upload/schemas.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { countAhead, type DriverBest, listDriverBests } from '#server/model/boards/rank-store.ts';
import { findRival } from '#server/model/laps/rival-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { countDrivers, findNextFaster, findRecord, listBestSectors } from './describe-best-store.ts';

type Driven = { track: Track; userId: UserId };

/** Finds a driver's best lap on a track; undefined where none ranks. */
export async function findOwnBest(db: Database, { track, userId }: Driven): Promise<DriverBest | undefined> {
  return (await listDriverBests(db, track.id, [userId]))[0];
}

type Stored = { previous: DriverBest | undefined; results: readonly UploadResult[] };

/**
 * Describes the change of the driver's best lap on the track, which was `previous` before the upload. Returns null where the
 * driver has no best lap, or nothing was stored. The ranks are the current ones: other uploads may have come in between.
 */
export async function describeBest(
  { db, log }: { db: Database; log: FastifyBaseLogger },
  driven: Driven,
  stored: Stored,
): Promise<UploadBest | null> {
  try {
    return await readBest(db, driven, stored);
  } catch (error) {
    // The laps are stored, so the upload has not failed.
    log.error({ err: error }, 'the result of an upload could not be described');
    return null;
  }
}

async function readBest(
  db: Database,
  driven: Driven,
  { previous, results }: Stored,
): Promise<UploadBest | null> {
  const { track, userId } = driven;
  const sessionIds = results.flatMap(({ sessionId }) => sessionId ?? []);
  const best = await findOwnBest(db, driven);
  if (!best || sessionIds.length === 0) return null;
  const { lapId, lapTimeMs } = best;
  const { ahead } = await countAhead(db, track.id, { lapTimeMs, previousLapTimeMs: null });
  const rank = ahead + 1;
  const record = await findRecord(db, track.id);
  const isRecord = record?.lapId === lapId;
  const sectors = await listBestSectors(db, { trackId: track.id, userId }, sessionIds);
  return {
    lapId,
    lapTimeMs,
    isNew: sessionIds.includes(best.sessionId),
    rank,
    // The lap may have left the board since it was found; its place counts it.
    drivers: Math.max(rank, await countDrivers(db, track.id)),
    isRecord,
    ahead: await findNextFaster(db, track.id, lapTimeMs),
    rival: await findRival(db, track.id, lapId),
    record: isRecord ? null : record,
    previous: previous ? { lapId: previous.lapId, lapTimeMs: previous.lapTimeMs } : null,
    sectors: sectors.map(({ index, timeMs, previousTimeMs }) => ({
      name: track.sectors[index]?.name ?? `S${index + 1}`,
      timeMs,
      previousTimeMs,
    })),
  };
}
