import type { Services } from '#server/model/services.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LapId, TrackId } from '#contract/ids.ts';
import { lapViewEndpoints } from '#contract/lap-view/schemas.ts';
import type { Viewer } from '#contract/people/labels.ts';
import type { CornerName } from '#engine/comparison/name-corners.ts';
import { TRACE_FORMAT_VERSION } from '#engine/comparison/lap-trace.ts';
import { ENGINE_VERSION } from '#engine/engine-version.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { sendCached } from '#server/kernel/http/conditional-get.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { openResponseCache, toResponse } from '#server/kernel/http/response-cache.ts';
import { checkMaySeeLine, requireLap } from '#server/model/laps/lap-access.ts';
import { listCornerNames } from '#server/model/tracks/corner-name-store.ts';
import type { FindLapTrace } from '#server/model/laps/lap-traces.ts';
import { addLine } from '#server/model/laps/build-reference-line.ts';
import { findReferenceLine, type StoredLine } from '#server/model/laps/reference-line-store.ts';
import { findLap, type StoredLap } from '#server/model/laps/lap-view-store.ts';
import type { CompareTask } from '#server/model/laps/timing/lap-tasks.ts';
import { findOutline } from '#server/model/tracks/track-store.ts';
import { findShownLaps } from '#server/model/laps/view-lap.ts';

/** Serves the lines of laps and comparisons of them. Each call checks the viewer's access before it reads a cache. */
export function serveLapLines(
  app: FastifyInstance,
  { database, lapWorkers }: Services,
  findTrace: FindLapTrace,
): void {
  const cache = openResponseCache();
  const { makeTrace, findTraces, makeComparison } = openLines(lapWorkers, findTrace);

  serve(app, lapViewEndpoints.trace, async ({ params, viewer, request, reply }) => {
    const [lap] = await getVisibleLaps(database, request, { ...params, viewer, lapIds: [params.lapId] });
    const road = await findRoad(database, params.trackId);
    const response = await cache(`trace ${params.lapId}`, buildVersion([lap], road), async () => {
      const json = await makeTrace(lap, road, request);
      if (json === null) throw new AppError('not_found', NO_POSITIONS);
      return json;
    });
    return sendCached(request, reply, response);
  });

  serve(app, lapViewEndpoints.comparison, async ({ params, query, viewer, request, reply }) => {
    const lapIds = [params.lapId, ...query.with] as const;
    if (query.with.includes(params.lapId))
      throw new AppError('invalid_input', SAME_LAP, { fields: { with: SAME_LAP } });
    const laps = await getVisibleLaps(database, request, { ...params, viewer, lapIds });
    const road = await findRoad(database, params.trackId);
    const response = await cache(`comparison ${lapIds.join()}`, buildVersion(laps, road), async () => {
      const traces = await findTraces(laps, request);
      if (traces === null) throw new AppError('not_found', NO_POSITIONS);
      const json = await makeComparison(traces, road, request);
      if (json === null) throw new AppError('laps_do_not_compare', DO_NOT_COMPARE);
      return json;
    });
    return sendCached(request, reply, response);
  });

  serve(app, lapViewEndpoints.lines, async ({ params, viewer, request, reply }) => {
    const laps = await database.read(request, async (source) => await findShownLaps(source, params, viewer));
    const [lap] = laps.slice(-1);
    if (!lap) return sendCached(request, reply, await toResponse(writeLines(null, null)));
    const road = await findRoad(database, params.trackId);
    const lapIds = laps.map(({ lapId }) => lapId);
    const response = await cache(`lines ${lapIds.join()}`, buildVersion(laps, road), async () => {
      const traces = laps.length > 1 ? await findTraces(laps, request) : null;
      const comparison = traces && (await makeComparison(traces, road, request));
      return writeLines(comparison, comparison === null ? await makeTrace(lap, road, request) : null);
    });
    return sendCached(request, reply, response);
  });
}

/** Makes traces and comparisons in the threads, in the turn of the reader who asks for them. */
function openLines(lapWorkers: Services['lapWorkers'], findTrace: FindLapTrace) {
  return { makeTrace, findTraces, makeComparison };

  async function makeTrace(lap: StoredLap, road: Road, request: FastifyRequest): Promise<string | null> {
    const found = await findTrace(lap, getReaderKey(request));
    const json =
      found && (await lapWorkers.view({ trace: found.trace, ...toTask(road) }, getReaderKey(request)));
    return json && Buffer.from(json).toString();
  }

  /** Finds the traces of laps; null where the file of one is not there any more. */
  async function findTraces(
    laps: readonly StoredLap[],
    request: FastifyRequest,
  ): Promise<LapToCompare[] | null> {
    const found = await Promise.all(
      laps.map(async (lap) => {
        const { lapId, lapTimeMs, sessionId } = lap;
        const stored = await findTrace(lap, getReaderKey(request));
        return stored && { lapId, lapTimeMs, sessionId, trace: stored.trace };
      }),
    );
    const traces = found.filter((lap) => lap !== null);
    return traces.length === laps.length ? traces : null;
  }

  async function makeComparison(
    laps: LapToCompare[],
    road: Road,
    request: FastifyRequest,
  ): Promise<string | null> {
    const json = await lapWorkers.compare({ laps, ...toTask(road) }, getReaderKey(request));
    return json && Buffer.from(json).toString();
  }
}

/** Writes the answer from parts that are JSON already. */
function writeLines(comparison: string | null, trace: string | null): string {
  return `{"comparison":${comparison ?? 'null'},"trace":${trace ?? 'null'}}`;
}

export const NO_POSITIONS = 'The positions of this lap are not there any more.';
const SAME_LAP = 'A lap is compared with other laps only.';
const DO_NOT_COMPARE = 'These laps were not driven along the same way, so they cannot be compared.';

type LapToCompare = CompareTask['laps'][number];

type WantedLaps<Ids> = { trackId: TrackId; viewer: Viewer | null; lapIds: Ids };

/** Returns these laps, in order. @throws AppError where one does not exist, or the viewer may not see its line */
export async function getVisibleLaps<const Ids extends readonly [LapId, ...LapId[]]>(
  database: OpenDatabase,
  request: FastifyRequest,
  { trackId, viewer, lapIds }: WantedLaps<Ids>,
): Promise<[StoredLap, ...StoredLap[]]> {
  return await database.read(request, async ({ pool }) => {
    const get = async (lapId: LapId) => {
      const lap = requireLap(await findLap(pool, trackId, lapId, viewer?.id ?? null), viewer);
      checkMaySeeLine(lap, viewer);
      return lap;
    };
    const [first, ...others] = lapIds;
    return [await get(first), ...(await Promise.all(others.map(get)))];
  });
}

/** The pages show the laps of a track along this line, with the corners of its outline and these names. */
type Road = {
  line: StoredLine | null;
  track: Awaited<ReturnType<typeof findOutline>>;
  cornerNames: CornerName[];
};

/** Finds the line of the track, its outline and its names. Without a line it adds a job that builds it; the lap's own is used until then. */
async function findRoad({ db }: OpenDatabase, trackId: TrackId): Promise<Road> {
  const [line, track, cornerNames] = await Promise.all([
    findReferenceLine(db, trackId),
    findOutline(db, trackId),
    listCornerNames(db, trackId),
  ]);
  if (line === null) await addLine(db, trackId);
  return { line, track, cornerNames };
}

function toTask({ line, track, cornerNames }: Road) {
  return { line: line?.line ?? null, track, cornerNames };
}

/** Builds a version that changes with the traces of the laps (as another engine does), with the line, the track and a name. */
function buildVersion(laps: readonly StoredLap[], { line, track, cornerNames }: Road): string {
  const moments = laps.map((lap) => `${lap.startOffsetMs}+${lap.lapTimeMs}`);
  const versions = [ENGINE_VERSION, TRACE_FORMAT_VERSION, line?.version, track?.version];
  return [...versions, ...moments, JSON.stringify(cornerNames)].join(' ');
}

/** Returns the key for taking turns: that of a driver, or one for all guests behind one IP address. */
export function getReaderKey({ viewer, ip }: Pick<FastifyRequest, 'viewer' | 'ip'>): string {
  return viewer?.id ?? ip;
}
