import type { FastifyInstance } from 'fastify';
import { TIRE_COMPOUNDS } from '#contract/lap-labels.ts';
import { type BoardFilter, lapEndpoints } from '#contract/laps.ts';
import type { OpenDatabase, Source } from '#server/kernel/database/database.ts';
import { forEachSource } from '#server/kernel/database/for-each-source.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { AppError } from '#server/kernel/errors.ts';
import { checkDriverExists } from '#server/users/check-driver.ts';
import { listBoardVersions } from '#server/boards/board-version-store.ts';
import { shareBoardVersions } from '#server/boards/board-versions.ts';
import { getBoardSummary, listBoard } from './board-store.ts';
import { type FinishedBoard, finishBoard, keepFinishedBoards } from './response-cache.ts';
import { sendFinished } from './conditional-get.ts';
import { countRankingLaps, listCarBests, listTrackBests } from './driver-bests-store.ts';

export function mountLapRoutes(app: FastifyInstance, database: OpenDatabase, boardLeaseMs: number): void {
  mountBoardRoutes(app, database, boardLeaseMs);
  mountDriverRoutes(app, database);
}

function mountBoardRoutes(app: FastifyInstance, database: OpenDatabase, boardLeaseMs: number): void {
  const boards = keepFinishedBoards();
  const versionsOf = forEachSource(({ pool }) =>
    // A replica may replay a change long after it is done, and a driver who waited for that must see it at once.
    shareBoardVersions(
      (trackIds) => listBoardVersions(pool, trackIds),
      pool === database.pool ? boardLeaseMs : 0,
    ),
  );

  serve(app, lapEndpoints.best, async ({ params: { trackId }, query, viewer, request, reply }) => {
    const { limit = null, offset = 0, includeOwn, ...filter } = query;
    const ownUserId = includeOwn === 'true' ? (viewer?.id ?? null) : null;
    const key = `${ownUserId ?? ''} ${request.url}`;
    const board = await database.read(request, (source) =>
      getBoard(source, { trackId, filter, key }, async () =>
        lapEndpoints.best.response.parse(
          await listBoard(source.pool, trackId, filter, { limit, offset, ownUserId }),
        ),
      ),
    );
    return sendFinished(request, reply, board);
  });

  serve(app, lapEndpoints.summary, async ({ params: { trackId }, query, request, reply }) => {
    const board = await database.read(request, (source) =>
      getBoard(source, { trackId, filter: query, key: request.url }, async () =>
        lapEndpoints.summary.response.parse(await getBoardSummary(source.pool, trackId, query)),
      ),
    );
    return sendFinished(request, reply, board);
  });

  serve(app, lapEndpoints.tireCompounds, async () => [...TIRE_COMPOUNDS]);

  async function getBoard(
    source: Source,
    { trackId, filter, key }: { trackId: string; filter: BoardFilter; key: string },
    make: () => Promise<unknown>,
  ): Promise<FinishedBoard> {
    // Before the board: what comes in between belongs to a later version, and is found by the next call.
    const version = await versionsOf(source)(trackId);
    if (version === undefined) throw new AppError('not_found', 'There is no such track.');
    // A board of the last month changes by itself, from one second to the next.
    const { timePeriod = '' } = filter;
    if (timePeriod !== '' && timePeriod !== 'all-time') return finishBoard(await make());
    return boards.get(key, version, async () => finishBoard(await make()));
  }
}

function mountDriverRoutes(app: FastifyInstance, database: OpenDatabase): void {
  serve(app, lapEndpoints.byCar, ({ params: { userId }, request }) =>
    database.read(request, async ({ db, pool }) => {
      await checkDriverExists(db, userId);
      const lists: Record<
        string,
        { trackId: string; trackName: string; lapTime: number; uploadDate: string }[]
      > = {};
      for (const best of await listCarBests(pool, userId)) {
        const { userCarId, trackId, trackName, lapTimeMs, sessionDate } = best;
        (lists[userCarId] ??= []).push({ trackId, trackName, lapTime: lapTimeMs, uploadDate: sessionDate });
      }
      return lists;
    }),
  );

  serve(app, lapEndpoints.byTrack, ({ params: { userId }, request }) =>
    database.read(request, async ({ db, pool }) => {
      await checkDriverExists(db, userId);
      const bests = await listTrackBests(pool, userId);
      return Object.fromEntries(
        bests.map(({ trackId, lapTimeMs, sessionDate, topLapMs, lapCount }) => [
          trackId,
          { yourBestLap: lapTimeMs, yourBestLapDate: sessionDate, topLap: topLapMs, lapCount },
        ]),
      );
    }),
  );

  serve(app, lapEndpoints.totalCount, ({ params: { userId }, request }) =>
    database.read(request, async ({ db, pool }) => {
      await checkDriverExists(db, userId);
      return { totalLaps: await countRankingLaps(pool, userId) };
    }),
  );
}
