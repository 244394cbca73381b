import type { FastifyInstance } from 'fastify';
import { TIRE_COMPOUNDS } from '#contract/lap-words.ts';
import { lapEndpoints } from '#contract/laps.ts';
import type { OpenDatabase } from '#server/db/database.ts';
import { serve } from '#server/endpoints.ts';
import { AppError } from '#server/errors.ts';
import { findTrack } from '#server/tracks/track-store.ts';
import { getBoardSummary, listBoard } from './board-store.ts';
import { countRankingLaps, listCarBests, listTrackBests } from './driver-laps-store.ts';

export function mountLapRoutes(app: FastifyInstance, database: OpenDatabase): void {
  mountBoardRoutes(app, database);
  mountDriverRoutes(app, database);
}

function mountBoardRoutes(app: FastifyInstance, { db, pool }: OpenDatabase): void {
  serve(app, lapEndpoints.best, async ({ params: { trackId }, query, viewer }) => {
    const { limit, offset, includeOwn, ...filter } = query;
    const records = await listBoard(pool, trackId, filter, {
      limit: limit ?? null,
      offset: offset ?? 0,
      ownUserId: includeOwn === 'true' ? (viewer?.id ?? null) : null,
    });
    if (records.length === 0) await checkTrack(trackId);
    return records;
  });

  serve(app, lapEndpoints.summary, async ({ params: { trackId }, query }) => {
    const summary = await getBoardSummary(pool, trackId, query);
    if (summary.totalLaps === 0) await checkTrack(trackId);
    return summary;
  });

  serve(app, lapEndpoints.tireCompounds, async () => [...TIRE_COMPOUNDS]);

  async function checkTrack(trackId: string): Promise<void> {
    if (!(await findTrack(db, trackId))) throw new AppError('not_found', 'There is no such track.');
  }
}

function mountDriverRoutes(app: FastifyInstance, { pool }: OpenDatabase): void {
  serve(app, lapEndpoints.byCar, async ({ params }) => {
    const lists: Record<
      string,
      { trackId: string; trackName: string; lapTime: number; uploadDate: string }[]
    > = {};
    for (const { userCarId, trackId, trackName, lapTimeMs, sessionDate } of await listCarBests(
      pool,
      params.userId,
    )) {
      (lists[userCarId] ??= []).push({ trackId, trackName, lapTime: lapTimeMs, uploadDate: sessionDate });
    }
    return lists;
  });

  serve(app, lapEndpoints.byTrack, async ({ params }) => {
    const bests = await listTrackBests(pool, params.userId);
    return Object.fromEntries(
      bests.map(({ trackId, lapTimeMs, sessionDate, topLapMs, lapCount }) => [
        trackId,
        { yourBestLap: lapTimeMs, yourBestLapDate: sessionDate, topLap: topLapMs, lapCount },
      ]),
    );
  });

  serve(app, lapEndpoints.totalCount, async ({ params }) => ({
    totalLaps: await countRankingLaps(pool, params.userId),
  }));
}
