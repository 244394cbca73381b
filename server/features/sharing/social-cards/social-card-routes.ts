import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import type { LapId, TrackId } from '#contract/ids.ts';
import { SPECIFIED_FORMATS } from '#contract/formats/labels.ts';
import { nameLaps } from '#contract/lap-view/labels.ts';
import { type LapView, lapViewEndpoints } from '#contract/lap-view/schemas.ts';
import { trackEndpoints } from '#contract/tracks/schemas.ts';
import type { Source } from '#server/kernel/database/database.ts';
import { isNotModified } from '#server/kernel/http/conditional-get.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import { listBoard } from '#server/model/boards/board-store.ts';
import { findDrawnTrack } from '#server/model/tracks/track-store.ts';
import { viewLap } from '#server/model/laps/view-lap.ts';
import { drawComparisonPreview, drawLapPreview, drawTrackPreview } from './draw-social-card.ts';
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
    reply.header('cache-control', CACHE_CONTROL);
    if (isNotModified(request, reply, svgEtag(svg))) return reply.send();
    return reply.type(trackEndpoints.preview.response).send(await getPicture(svg));
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
    reply.header('cache-control', CACHE_CONTROL);
    if (isNotModified(request, reply, svgEtag(svg))) return reply.send();
    return reply.type(lapViewEndpoints.preview.response).send(await getPicture(svg));
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
