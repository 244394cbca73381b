import type { Services } from '#server/model/services.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TrackId } from '#contract/ids.ts';
import { TIRE_COMPOUNDS } from '#contract/laps/labels.ts';
import type { BoardFilter } from '#contract/boards/filter.ts';
import { lapEndpoints } from '#contract/laps/schemas.ts';
import { activityEndpoint, recordHistoryEndpoint, simulatorBoardEndpoint } from '#contract/boards/schemas.ts';
import type { Source } from '#server/kernel/database/database.ts';
import { forEachSource } from '#server/kernel/database/for-each-source.ts';
import { sendCached } from '#server/kernel/http/conditional-get.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import { type CachedResponse, openResponseCache, toResponse } from '#server/kernel/http/response-cache.ts';
import { singleFlight } from '#server/kernel/http/single-flight.ts';
import { checkDriverExists } from '#server/model/people/driver-store.ts';
import { getBoardSummary, listBoard } from '#server/model/boards/board-store.ts';
import { listFilterOptions } from '#server/model/boards/filter-options-store.ts';
import { findActivity } from '#server/model/boards/activity-store.ts';
import { listRecordHistory } from '#server/model/boards/record-history-store.ts';
import { listRecordSectors } from '#server/model/boards/record-sectors-store.ts';
import { listSimulatorBoard, listSimulatorClasses } from '#server/model/boards/simulator-board-store.ts';
import { findListedKinds } from '#server/model/club/club-settings-store.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import { findBoardVersion } from '#server/model/tracks/board-version-store.ts';
import { countRankingLaps, listCarBests, listTrackBests } from '#server/model/boards/driver-bests-store.ts';

export function mountBoardRoutes(app: FastifyInstance, services: Services): void {
  mountTrackBoards(app, services);
  mountDriverBests(app, services);
  serve(app, activityEndpoint, ({ request }) =>
    services.database.read(request, ({ pool }) => findActivity(pool)),
  );
}

// Answers that count the drivers of the last month change with time.
const CHANGING: BoardFilter = { timePeriod: '1-month' };

function mountTrackBoards(app: FastifyInstance, { database }: Services): void {
  const getBoard = openBoards();

  /** Sends what a query finds on a board; until the board changes, from the cache. */
  async function sendBoard({ request, reply }: BoardCall, board: BoardKey, query: BoardQuery) {
    const key = `${board.ownUserId ?? ''} ${request.url}`;
    const answer = await database.read(request, (source) =>
      getBoard(source, { ...board, key }, () => query(source.pool)),
    );
    return sendCached(request, reply, answer);
  }

  serve(app, lapEndpoints.best, ({ params: { trackId }, query, viewer, ...call }) => {
    const { limit = null, offset = 0, includeOwn, ...filter } = query;
    const ownUserId = includeOwn === 'true' ? (viewer?.id ?? null) : null;
    return sendBoard(call, { trackId, filter, ownUserId }, (pool) =>
      listBoard(pool, trackId, filter, { limit, offset, ownUserId }),
    );
  });

  serve(app, simulatorBoardEndpoint, ({ params: { trackId }, query: { raceClass = '' }, request }) =>
    database.read(request, async ({ db, pool }) => {
      found(await findTrack(db, trackId), simulatorBoardEndpoint);
      const kinds = await findListedKinds(pool);
      return {
        isOn: kinds.simulator,
        records: await listSimulatorBoard(pool, { trackId, raceClass, kinds }),
        raceClasses: await listSimulatorClasses(pool, { trackId, kinds }),
      };
    }),
  );

  serve(app, lapEndpoints.summary, ({ params: { trackId }, query: filter, ...call }) =>
    sendBoard(call, { trackId, filter }, (pool) => getBoardSummary(pool, trackId, filter)),
  );

  serve(app, lapEndpoints.filterOptions, ({ params: { trackId }, query, ...call }) =>
    sendBoard(call, { trackId, filter: CHANGING }, (pool) => listFilterOptions(pool, trackId, query)),
  );

  serve(app, lapEndpoints.recordSectors, ({ params: { trackId }, ...call }) =>
    sendBoard(call, { trackId, filter: {} }, (pool) => listRecordSectors(pool, trackId)),
  );

  serve(app, recordHistoryEndpoint, ({ params: { trackId }, ...call }) =>
    sendBoard(call, { trackId, filter: {} }, (pool) => listRecordHistory(pool, trackId)),
  );

  serve(app, lapEndpoints.tireCompounds, async () => [...TIRE_COMPOUNDS]);
}

type BoardCall = { request: FastifyRequest; reply: FastifyReply };
type BoardKey = { trackId: TrackId; filter: BoardFilter; ownUserId?: string | null };
type BoardQuery = (pool: Source['pool']) => Promise<unknown>;

/** Caches answers about boards by the version of the board. The stores have parsed the content. */
function openBoards() {
  const cache = openResponseCache();
  const findVersion = forEachSource(({ pool }) =>
    singleFlight((trackId: TrackId) => findBoardVersion(pool, trackId)),
  );

  return async function getBoard(
    source: Source,
    { trackId, filter, key }: BoardKey & { key: string },
    query: () => Promise<unknown>,
  ): Promise<CachedResponse> {
    // The version is read before the board: a change in between belongs to a later version, which the next call finds.
    const version = found(await findVersion(source)(trackId), lapEndpoints.best);
    const build = async () => JSON.stringify(await query());
    // A board of the last month changes with time, from one second to the next.
    const { timePeriod = '' } = filter;
    if (timePeriod !== '' && timePeriod !== 'all-time') return toResponse(await build());
    return cache(key, version, build);
  };
}

function mountDriverBests(app: FastifyInstance, { database }: Services): void {
  serve(app, lapEndpoints.byCar, ({ params: { userId }, request }) =>
    database.read(request, async ({ db, pool }) => {
      await checkDriverExists(db, userId);
      const lists: Record<
        string,
        { trackId: TrackId; trackName: string; lapTime: number; uploadDate: string }[]
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
        bests.map(({ trackId, lapTimeMs, sessionDate, topLapMs, isTopLap, lapCount }) => [
          trackId,
          { yourBestLap: lapTimeMs, yourBestLapDate: sessionDate, topLap: topLapMs, isTopLap, lapCount },
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
