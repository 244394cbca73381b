import type { FastifyInstance } from 'fastify';
import { TIRE_COMPOUNDS } from '#contract/lap-words.ts';
import { type BoardFilter, lapEndpoints } from '#contract/laps.ts';
import type { OpenDatabase } from '#server/db/database.ts';
import { serve } from '#server/endpoints.ts';
import { AppError } from '#server/errors.ts';
import { checkDriverExists } from '#server/users/check-driver.ts';
import { listBoardVersions } from '#server/tracks/board-version-store.ts';
import { shareBoardVersions } from '#server/tracks/board-versions.ts';
import { getBoardSummary, listBoard } from './board-store.ts';
import { type FinishedBoard, finishBoard, keepFinishedBoards } from './finished-boards.ts';
import { sendFinished } from './send-finished.ts';
import { countRankingLaps, listCarBests, listTrackBests } from './driver-laps-store.ts';

export function mountLapRoutes(app: FastifyInstance, database: OpenDatabase): void {
  mountBoardRoutes(app, database);
  mountDriverRoutes(app, database);
}

function mountBoardRoutes(app: FastifyInstance, { pool }: OpenDatabase): void {
  const boards = keepFinishedBoards();
  const findBoardVersion = shareBoardVersions((trackIds) => listBoardVersions(pool, trackIds));

  serve(app, lapEndpoints.best, async ({ params: { trackId }, query, viewer, request, reply }) => {
    const { limit = null, offset = 0, includeOwn, ...filter } = query;
    const ownUserId = includeOwn === 'true' ? (viewer?.id ?? null) : null;
    const board = await getBoard(trackId, filter, ['best', limit, offset, ownUserId], async () =>
      lapEndpoints.best.response.parse(await listBoard(pool, trackId, filter, { limit, offset, ownUserId })),
    );
    return sendFinished(request, reply, board);
  });

  serve(app, lapEndpoints.summary, async ({ params: { trackId }, query, request, reply }) => {
    const board = await getBoard(trackId, query, ['summary'], async () =>
      lapEndpoints.summary.response.parse(await getBoardSummary(pool, trackId, query)),
    );
    return sendFinished(request, reply, board);
  });

  serve(app, lapEndpoints.tireCompounds, async () => [...TIRE_COMPOUNDS]);

  async function getBoard(
    trackId: string,
    filter: BoardFilter,
    part: readonly unknown[],
    make: () => Promise<unknown>,
  ): Promise<FinishedBoard> {
    // Before the board: what comes in between belongs to a later version, and is found by the next call.
    const version = await findBoardVersion(trackId);
    if (version === undefined) throw new AppError('not_found', 'There is no such track.');
    // A board of the last month changes by itself, from one second to the next.
    const { timePeriod = '', ...rest } = filter;
    if (timePeriod !== '' && timePeriod !== 'all-time') return finishBoard(await make());
    const filters = Object.entries(rest)
      .filter(([, value]) => value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    return boards.get(JSON.stringify([trackId, part, filters]), version, make);
  }
}

function mountDriverRoutes(app: FastifyInstance, { db, pool }: OpenDatabase): void {
  serve(app, lapEndpoints.byCar, async ({ params }) => {
    await checkDriverExists(db, params.userId);
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
    await checkDriverExists(db, params.userId);
    const bests = await listTrackBests(pool, params.userId);
    return Object.fromEntries(
      bests.map(({ trackId, lapTimeMs, sessionDate, topLapMs, lapCount }) => [
        trackId,
        { yourBestLap: lapTimeMs, yourBestLapDate: sessionDate, topLap: topLapMs, lapCount },
      ]),
    );
  });

  serve(app, lapEndpoints.totalCount, async ({ params }) => {
    await checkDriverExists(db, params.userId);
    return { totalLaps: await countRankingLaps(pool, params.userId) };
  });
}
