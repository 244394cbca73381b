import type { Services } from '#server/model/services.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { renderSVG } from 'uqr';
import type { TrackId } from '#contract/ids.ts';
import type { BoardFilter } from '#contract/boards/filter.ts';
import { lapEndpoints } from '#contract/laps/schemas.ts';
import { sharingEndpoints } from '#contract/sharing/schemas.ts';
import { listBoard } from '#server/model/boards/board-store.ts';
import { findSiteName } from '#server/model/club/club-settings-store.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import { findDrawnTrack } from '#server/model/tracks/track-store.ts';
import { webFolder } from '#server/kernel/files/project-folder.ts';
import { embeddedBoard } from './embedded-board.ts';
import { findEmbeddedFonts } from './embedded-fonts.ts';
import { listRecords } from './sharing-store.ts';
import { writeCsv } from './write-csv.ts';
import { writeFeed } from './write-feed.ts';

const FEED_ENTRIES = 50;
const CACHE_CONTROL = 'private, max-age=60';

// No script runs in the page, its letters come from this server, and any site may frame it; all other pages refuse frames.
const EMBED_POLICY =
  "default-src 'self'; script-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors *";

export function mountSharingRoutes(app: FastifyInstance, services: Services): void {
  mountFeed(app, services);
  const { database } = services;
  const { publicUrl } = services.settings;
  const fonts = findEmbeddedFonts(webFolder);

  serve(
    app,
    sharingEndpoints.embed,
    async ({ params: { trackId }, query: { theme, limit, ...filter }, request, reply }) => {
      const { track, records } = await getBoard(request, trackId, filter, limit);
      const siteName = await findSiteName(database.db);
      const link = publicUrl + writePath(trackId, filter);
      reply.removeHeader('x-frame-options');
      reply.header('content-security-policy', EMBED_POLICY);
      const isFiltered = Object.values(filter).some(Boolean);
      const board = { siteName, track, fonts, records, isFiltered, theme, link };
      return await send(reply, 'text/html', embeddedBoard(board));
    },
  );

  serve(app, sharingEndpoints.csv, async ({ params: { trackId }, query, request, reply }) => {
    const { records } = await getBoard(request, trackId, query, null);
    reply.header('content-disposition', `attachment; filename="${trackId}.csv"`);
    return await send(reply, 'text/csv', writeCsv(records));
  });

  serve(app, sharingEndpoints.qrCode, async ({ params: { trackId }, query, request, reply }) => {
    await getTrack(request, trackId);
    return await send(reply, 'image/svg+xml', drawQrCode(publicUrl + writePath(trackId, query)));
  });

  async function getTrack(request: FastifyRequest, trackId: TrackId) {
    return found(
      await database.read(request, ({ db }) => findDrawnTrack(db, trackId)),
      sharingEndpoints.qrCode,
    );
  }

  async function getBoard(
    request: FastifyRequest,
    trackId: TrackId,
    filter: BoardFilter,
    limit: number | null,
  ) {
    const track = await getTrack(request, trackId);
    const page = { limit, offset: 0, ownUserId: null };
    const records = await database.read(request, ({ pool }) => listBoard(pool, trackId, filter, page));
    return { track, records: lapEndpoints.best.response.parse(records) };
  }
}

/** Draws an address. @throws AppError `too_large` where no QR code holds it */
function drawQrCode(address: string): string {
  try {
    return renderSVG(address, { ecc: 'M', border: 4 });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new AppError('too_large', 'This address is too long for a QR code.', { cause });
  }
}

function mountFeed(app: FastifyInstance, { database, settings: { publicUrl } }: Services): void {
  serve(app, sharingEndpoints.feed, async ({ query: { track }, request, reply }) => {
    const records = await database.read(request, ({ db }) =>
      listRecords(db, { trackId: track ?? null, limit: FEED_ENTRIES }),
    );
    const self = track === undefined ? '/api/feed/records' : `/api/feed/records?track=${track}`;
    const siteName = await findSiteName(database.db);
    const feed = writeFeed(records, { siteName, publicUrl, self, now: new Date() });
    return await send(reply, 'application/atom+xml', feed);
  });
}

function send(reply: FastifyReply, type: string, content: string): FastifyReply {
  return reply.type(`${type}; charset=utf-8`).header('cache-control', CACHE_CONTROL).send(content);
}

function writePath(trackId: TrackId, filter: BoardFilter): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value) search.set(name, value);
  return `/track/${encodeURIComponent(trackId)}${search.size === 0 ? '' : `?${search.toString()}`}`;
}
