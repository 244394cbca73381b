import type { FastifyInstance } from 'fastify';
import { videoEndpoints, type LapVideos, type SentCameraPositions } from '#contract/lap-view/videos.ts';
import type { Viewer } from '#contract/people/labels.ts';
import { LIMITS } from '#contract/limits.ts';
import { decodeLapTrace } from '#engine/comparison/lap-trace.ts';
import type { FixColumns } from '#engine/fix-columns.ts';
import { DAY_MS } from '#engine/durations.ts';
import { fitVideoClock, type Anchor } from '#engine/video/video-clock.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { checkOpenedVideo } from '#server/model/flags/check-camera.ts';
import type { FindLapTrace } from '#server/model/laps/lap-traces.ts';
import { isOwn, requireLap } from '#server/model/laps/lap-access.ts';
import { findLap, type StoredLap } from '#server/model/laps/lap-view-store.ts';
import { lockUsers } from '#server/model/people/ending-store.ts';
import type { Services } from '#server/model/services.ts';
import {
  countOtherVideos,
  deleteSessionVideo,
  listSessionVideos,
  upsertSessionVideo,
} from '#server/model/videos/video-store.ts';
import { getReaderKey, getVisibleLaps, NO_POSITIONS } from './serve-lap-lines.ts';

type LapOfTrack = Pick<StoredLap, 'trackId' | 'lapId'>;

/** Serves what puts videos in step with laps. No video and no part of one is ever sent here. */
export function serveLapVideos(
  app: FastifyInstance,
  { database }: Pick<Services, 'database'>,
  findLapTrace: FindLapTrace,
): void {
  const { db } = database;

  serve(app, videoEndpoints.list, async ({ params, viewer, request }) => {
    const [lap] = await getVisibleLaps(database, request, { ...params, viewer, lapIds: [params.lapId] });
    const videos = await database.read(request, (source) => listSessionVideos(source.db, lap));
    return { ...describeLap(lap, viewer), videos };
  });

  serve(app, videoEndpoints.save, async ({ params, viewer, body: { key, anchors } }) => {
    const lap = await getOwnLap(database, params, viewer);
    checkAnchors(lap, anchors);
    await db.transaction(async (tx) => {
      if (anchors.length === 0) return deleteSessionVideo(tx, lap, key);
      // Calls at once wait for each other, so that each counts what the others have saved.
      await lockUsers(tx, [viewer.id]);
      if ((await countOtherVideos(tx, lap, key)) >= LIMITS.videosPerSessionMax)
        throw new AppError('conflict', TOO_MANY);
      return upsertSessionVideo(tx, lap, { key, anchors });
    });
    return { saved: true as const };
  });

  serve(app, videoEndpoints.prove, async ({ params, viewer, body: { camera, ...columns }, request }) => {
    const lap = await getOwnLap(database, params, viewer);
    if (!isProvable(lap)) throw new AppError('conflict', NOTHING_TO_PROVE);
    const stored = await findLapTrace(lap, getReaderKey(request));
    const traced = stored && decodeLapTrace(stored.trace);
    if (!traced) throw new AppError('not_found', NO_POSITIONS);
    const fixes = toFixes(columns, traced.lap.startTimeMs - lap.startedAtMs);
    const checked = { trackId: lap.trackId, lapId: lap.lapId, userId: lap.driverId };
    const reasons = await checkOpenedVideo(db, checked, { traced, video: { camera, fixes } });
    const agrees = reasons.length === 0;
    return { agrees, sentence: agrees ? AGREES : `The camera ${reasons.join(', ')}.` };
  });
}

function describeLap(lap: StoredLap, viewer: Viewer | null): Omit<LapVideos, 'videos'> {
  return {
    sessionId: lap.sessionId,
    isOwn: isOwn(lap, viewer),
    mayProve:
      isOwn(lap, viewer) && isProvable(lap) && !lap.grantedEvidence.some(({ kind }) => kind === 'video-gps'),
    lapStartMs: lap.startedAtMs,
    sessionStartMs: lap.startedAtMs - lap.startOffsetMs,
    utcOffsetMinutes: readUtcOffset(lap.sessionDate),
    videoUrl: lap.videoUrl,
  };
}

/** @throws AppError `not_found` or `not_allowed` */
async function getOwnLap(
  { pool }: OpenDatabase,
  { trackId, lapId }: LapOfTrack,
  viewer: Viewer,
): Promise<StoredLap> {
  const lap = requireLap(await findLap(pool, trackId, lapId, viewer.id), viewer);
  if (!isOwn(lap, viewer)) throw new AppError('not_allowed', 'This lap is not yours.');
  return lap;
}

const CAMERA_FORMAT = 'camera-csv';

function isProvable({ isListed, format }: StoredLap): boolean {
  return isListed && format !== CAMERA_FORMAT;
}

const AGREES = 'The positions in the video agree with the lap, all along.';
const NOTHING_TO_PROVE = 'A video is evidence for a lap of a logger that ranks.';

/** Puts the positions of a camera on the clock of the trace. */
function toFixes(
  { timesMs, lats, lons, speedsMetersPerSecond }: Omit<SentCameraPositions, 'camera'>,
  laterMs: number,
): FixColumns {
  return {
    length: timesMs.length,
    timesMs: Float64Array.from(timesMs, (timeMs) => timeMs + laterMs),
    lats: Float64Array.from(lats),
    lons: Float64Array.from(lons),
    speedsMetersPerSecond: Float64Array.from(speedsMetersPerSecond),
  };
}

const TOO_MANY = `This session has ${LIMITS.videosPerSessionMax} videos already. Remove one first.`;
const FAR = 'The video must show the time of this session.';
const CONTRADICT =
  'The two anchors contradict each other: they must be 10 seconds apart, in a video of normal speed.';

/** @throws AppError `invalid_input` for anchors of another day, and for two that give no clock */
function checkAnchors({ startedAtMs }: StoredLap, anchors: readonly Anchor[]): void {
  if (anchors.some(({ timeMs }) => Math.abs(timeMs - startedAtMs) > DAY_MS))
    throw new AppError('invalid_input', FAR, { fields: { anchors: FAR } });
  if (anchors.length > 0 && fitVideoClock(anchors) === null)
    throw new AppError('invalid_input', CONTRADICT, { fields: { anchors: CONTRADICT } });
}

/** Reads how far the clocks at the track are ahead of UTC from the end of a date, such as `+02:00`. */
function readUtcOffset(sessionDate: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(sessionDate) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}
