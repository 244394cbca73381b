import type { FastifyInstance } from 'fastify';
import { renderSVG } from 'uqr';
import { liveEndpoints, type LiveSharing } from '#contract/live/schemas.ts';
import type { LiveCode } from '#contract/live/code.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import { singleFlight } from '#server/kernel/http/single-flight.ts';
import {
  endLiveSharing,
  findLiveSession,
  findSharing,
  listOpenLiveSessions,
  type StoredSharing,
} from '#server/model/live/live-store.ts';
import { findLiveState } from '#server/model/live/live-state.ts';
import { startSharing } from '#server/model/live/start-sharing.ts';
import { openFixTaker } from '#server/model/live/take-fixes.ts';
import type { Services } from '#server/model/services.ts';

const LISTED_MAX = 50;

export function mountLiveRoutes(app: FastifyInstance, services: Services): void {
  const { db } = services.database;
  const { publicUrl } = services.settings;
  const linkTo = (code: LiveCode): string => `${publicUrl}/live/${code}`;
  const describe = ({
    sharingId,
    code,
    trackId,
    title,
    visibility,
    showsLine,
  }: StoredSharing): LiveSharing => ({
    sharingId,
    code,
    url: linkTo(code),
    trackId,
    title,
    visibility,
    showsLine,
  });

  serve(app, liveEndpoints.list, async ({ query: { trackId } }) => {
    const sessions = await listOpenLiveSessions(db, trackId, LISTED_MAX);
    return { sessions: sessions.map((one) => ({ ...one, startedAt: one.startedAt.getTime() })) };
  });

  // All who watch without a stream ask at once.
  const findState = singleFlight((code: LiveCode) => findLiveState(db, code));
  serve(app, liveEndpoints.state, async ({ params: { code } }) =>
    found(await findState(code), liveEndpoints.state),
  );

  serve(app, liveEndpoints.qrCode, async ({ params: { code }, reply }) => {
    found(await findLiveSession(db, code), liveEndpoints.qrCode);
    return await reply.type('image/svg+xml').send(renderSVG(linkTo(code), { ecc: 'M', border: 4 }));
  });

  serve(app, liveEndpoints.sharing, async ({ viewer }) => {
    const sharing = await findSharing(db, viewer.id);
    return { sharing: sharing ? describe(sharing) : null };
  });

  serve(app, liveEndpoints.start, async ({ viewer, body }) =>
    describe(await db.transaction(async (tx) => await startSharing(tx, viewer.id, body))),
  );

  const takeFixes = openFixTaker(db);
  serve(
    app,
    liveEndpoints.fixes,
    async ({ viewer, body }) => await takeFixes({ ...body, userId: viewer.id }),
  );

  serve(app, liveEndpoints.stop, async ({ viewer }) => ({
    ended: await db.transaction(async (tx) => await endLiveSharing(tx, [viewer.id])),
  }));
}
