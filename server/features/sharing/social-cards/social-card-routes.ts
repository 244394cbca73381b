import type { Services } from '#server/model/services.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LapId, RaceEventId, TrackId } from '#contract/ids.ts';
import { formatDate, SPECIFIED_FORMATS } from '#contract/formats/labels.ts';
import { nameLaps } from '#contract/lap-view/labels.ts';
import { type LapView, lapViewEndpoints } from '#contract/lap-view/schemas.ts';
import type { LiveCode } from '#contract/live/code.ts';
import { liveEndpoints } from '#contract/live/schemas.ts';
import { formatDisplayName } from '#contract/people/labels.ts';
import { userEndpoints } from '#contract/people/schemas.ts';
import { raceEventEndpoints } from '#contract/race-events/endpoints.ts';
import { RACE_EVENT_STATE_LABELS } from '#contract/race-events/labels.ts';
import { trackEndpoints } from '#contract/tracks/schemas.ts';
import type { Database, Source } from '#server/kernel/database/database.ts';
import { isNotModified } from '#server/kernel/http/conditional-get.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import { listBoard } from '#server/model/boards/board-store.ts';
import { listTrackBests } from '#server/model/boards/driver-bests-store.ts';
import { findLiveState } from '#server/model/live/live-state.ts';
import { findPublicUserByIdOrName } from '#server/model/people/user-store.ts';
import { findDrawnTrack } from '#server/model/tracks/track-store.ts';
import { viewRaceEvent } from '#server/model/race-events/view-race-event.ts';
import { viewLap } from '#server/model/laps/view-lap.ts';
import {
  drawComparisonPreview,
  drawDriverPreview,
  drawEventPreview,
  drawLapPreview,
  drawLivePreview,
  drawTrackPreview,
  NAMED_TIMES_MAX,
} from './draw-social-card.ts';
import { openSocialCardCache, svgEtag } from './social-card-cache.ts';

// All clients get the same picture, and a shared link may show a record that is some minutes old.
const CACHE_CONTROL = 'public, max-age=300';

const RECORD_ONLY = { limit: 1, offset: 0, ownUserId: null };

export function mountSocialCardRoutes(app: FastifyInstance, { database }: Services): void {
  const getPicture = openSocialCardCache();

  serve(app, trackEndpoints.preview, async ({ params: { trackId }, request, reply }) => {
    const svg = await database.read(request, async ({ db, pool }) => {
      const track = found(await findDrawnTrack(db, trackId), trackEndpoints.preview);
      const [record] = await listBoard(pool, trackId, {}, RECORD_ONLY);
      return drawTrackPreview(track, record);
    });
    return await sendPicture(request, reply, svg);
  });

  serve(app, lapViewEndpoints.preview, async ({ params, query: { vs }, request, reply }) => {
    const svg = await database.read(request, async (source) => {
      const lap = await getLap(source, params);
      const track = found(await findDrawnTrack(source.db, params.trackId), trackEndpoints.preview);
      if (vs !== undefined) {
        return drawComparisonPreview(track, nameApart([lap, await getLap(source, { ...params, lapId: vs })]));
      }
      const place = lap.place && `Place ${lap.place.rank} of ${lap.place.drivers}`;
      return drawLapPreview(track, lap, place);
    });
    return await sendPicture(request, reply, svg);
  });

  serve(app, userEndpoints.preview, async ({ params: { idOrName }, request, reply }) => {
    const svg = await database.read(request, (source) => drawDriver(source, idOrName));
    return await sendPicture(request, reply, found(svg, userEndpoints.preview));
  });

  serve(app, liveEndpoints.preview, async ({ params: { code }, request, reply }) => {
    const svg = await drawLiveSession(database.db, code);
    return await sendPicture(request, reply, found(svg, liveEndpoints.preview));
  });

  serve(app, raceEventEndpoints.preview, async ({ params: { eventId }, request, reply }) => {
    const svg = await drawEvent(database.db, eventId);
    return await sendPicture(request, reply, found(svg, raceEventEndpoints.preview));
  });

  async function sendPicture(
    request: FastifyRequest,
    reply: FastifyReply,
    svg: string,
  ): Promise<FastifyReply> {
    reply.header('cache-control', CACHE_CONTROL);
    if (isNotModified(request, reply, svgEtag(svg))) return reply.send();
    return reply.type('image/png').send(await getPicture(svg));
  }
}

/** Draws a driver with the best laps on the boards, those nearest to the record first; undefined where there are none. */
async function drawDriver({ db, pool }: Source, idOrName: string): Promise<string | undefined> {
  const driver = await findPublicUserByIdOrName(db, idOrName);
  if (!driver) return undefined;
  const bests = (await listTrackBests(pool, driver.id)).toSorted(
    (a, b) => a.lapTimeMs / a.topLapMs - b.lapTimeMs / b.topLapMs,
  );
  const drawn = await Promise.all(
    bests.slice(0, NAMED_TIMES_MAX).map(async ({ trackId, lapTimeMs, topLapMs }) => {
      const track = await findDrawnTrack(db, trackId);
      return track ? [{ track, lapTimeMs, name: track.name, isRecord: lapTimeMs <= topLapMs }] : [];
    }),
  );
  const [first] = drawn.flat();
  if (!first) return undefined;
  return drawDriverPreview(first.track, {
    name: formatDisplayName(driver),
    trackCount: bests.length,
    lapCount: bests.reduce((sum, { lapCount }) => sum + lapCount, 0),
    bests: drawn.flat(),
  });
}

async function drawLiveSession(db: Database, code: LiveCode): Promise<string | undefined> {
  const state = await findLiveState(db, code);
  if (!state) return undefined;
  const fastest = state.drivers
    .flatMap(({ name, bestMs }) => (bestMs === null ? [] : [{ name, lapTimeMs: bestMs }]))
    .toSorted((a, b) => a.lapTimeMs - b.lapTimeMs);
  const { title, track } = state.session;
  return drawLivePreview(track, { title, fastest });
}

/** Draws an event as guests see it, with the first of all classes, or of the first class with results. */
async function drawEvent(db: Database, eventId: RaceEventId): Promise<string | undefined> {
  const event = await viewRaceEvent(db, eventId, null);
  const [course] = event?.courses ?? [];
  const track = course && (await findDrawnTrack(db, course.trackId));
  if (!event || !track) return undefined;
  const { name, firstDay, lastDay, state, entries, classes } = event;
  const { overall, classes: byClass } = event.results;
  const ranked = byClass.filter(({ rows }) => rows.some(({ totalMs }) => totalMs !== null));
  const [best] = ranked;
  const rows = overall ?? best?.rows ?? [];
  const stateLabel = RACE_EVENT_STATE_LABELS[state];
  const className = overall === null && classes.find(({ id }) => id === best?.classId)?.name;
  return drawEventPreview(track, {
    name,
    days: [...new Set([firstDay, lastDay])].map((day) => formatDate(SPECIFIED_FORMATS, day)).join(' to '),
    state: stateLabel,
    heading: [stateLabel, className].filter(Boolean).join(': '),
    first: rows.flatMap(({ entryId, totalMs }) => {
      const driver = entries.find(({ id }) => id === entryId)?.driverName ?? '';
      return totalMs === null ? [] : [{ name: driver, lapTimeMs: totalMs }];
    }),
  });
}

/** Returns a lap as a guest sees it: the picture is the same for all readers. */
async function getLap(source: Source, params: { trackId: TrackId; lapId: LapId }): Promise<LapView> {
  return await viewLap(source, params, { viewer: null, findUncertaintyParts: async () => null });
}

/** Returns both laps with the names that distinguish them in the place of their drivers' names. */
function nameApart([reference, other]: readonly [LapView, LapView]): [LapView, LapView] {
  const { driver, names } = nameLaps([reference, other], SPECIFIED_FORMATS);
  const [first = '', second = ''] = driver === null ? names : names.map((name) => `${name}, ${driver}`);
  return [
    { ...reference, userName: first },
    { ...other, userName: second },
  ];
}
