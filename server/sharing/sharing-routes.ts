import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { renderSVG } from 'uqr';
import type { BoardFilter } from '#contract/laps.ts';
import { lapEndpoints } from '#contract/laps.ts';
import { sharingEndpoints } from '#contract/sharing.ts';
import { listBoard } from '#server/boards/board-store.ts';
import { findSiteName } from '#server/club/club-settings-store.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { findTrack } from '#server/tracks/track-store.ts';
import { embeddedBoard, embeddedNotice } from './embedded-board.ts';
import { listRecords } from './sharing-store.ts';
import { writeCsv } from './write-csv.ts';
import { writeFeed } from './write-feed.ts';

const CALLS_PER_MINUTE = 60;
const FEED_ENTRIES = 50;
const NO_TRACK = 'There is no such track.';
const CACHE_CONTROL = 'private, max-age=60';

// No script runs in it, and any site may frame it; all other pages refuse frames.
const EMBED_POLICY =
  "default-src 'self'; script-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors *";

type SharingParts = { database: OpenDatabase; settings: { publicUrl: string } };

/** Boards for other sites, spreadsheets and paper, and a feed of records. */
export function mountSharingRoutes(app: FastifyInstance, parts: SharingParts): void {
  mountFeed(app, parts);
  const { publicUrl } = parts.settings;
  const limits = { callsPerMinute: CALLS_PER_MINUTE };

  serve(
    app,
    sharingEndpoints.embed,
    async ({ params: { trackId }, query: { theme, limit, ...filter }, request, reply }) => {
      reply.removeHeader('x-frame-options');
      reply.header('content-security-policy', EMBED_POLICY);
      // For people: they see it in the middle of another page.
      const trackName = await findName(request, trackId);
      if (trackName === null)
        return await send(reply.code(404), 'text/html', embeddedNotice(NO_TRACK, { theme, link: publicUrl }));
      const records = await getRecords(request, trackId, filter, limit);
      const link = publicUrl + writePath(trackId, filter);
      return await send(reply, 'text/html', embeddedBoard({ trackName, records, theme, link }));
    },
    limits,
  );

  serve(
    app,
    sharingEndpoints.csv,
    async ({ params: { trackId }, query, request, reply }) => {
      await getName(request, trackId);
      const records = await getRecords(request, trackId, query, null);
      reply.header('content-disposition', `attachment; filename="${trackId}.csv"`);
      return await send(reply, 'text/csv', writeCsv(records));
    },
    limits,
  );

  serve(
    app,
    sharingEndpoints.qrCode,
    async ({ params: { trackId }, query, request, reply }) => {
      await getName(request, trackId);
      const address = publicUrl + writePath(trackId, query);
      return await send(reply, 'image/svg+xml', renderSVG(address, { ecc: 'M', border: 4 }));
    },
    limits,
  );

  async function findName(request: FastifyRequest, trackId: string): Promise<string | null> {
    const track = await parts.database.read(request, ({ db }) => findTrack(db, trackId));
    return track ? [track.name, track.configuration].filter(Boolean).join(' ') : null;
  }

  async function getName(request: FastifyRequest, trackId: string): Promise<string> {
    const name = await findName(request, trackId);
    if (name === null) throw new AppError('not_found', NO_TRACK);
    return name;
  }

  async function getRecords(
    request: FastifyRequest,
    trackId: string,
    filter: BoardFilter,
    limit: number | null,
  ) {
    const page = { limit, offset: 0, ownUserId: null };
    const records = await parts.database.read(request, ({ pool }) => listBoard(pool, trackId, filter, page));
    return lapEndpoints.best.response.parse(records);
  }
}

function mountFeed(app: FastifyInstance, { database, settings: { publicUrl } }: SharingParts): void {
  serve(
    app,
    sharingEndpoints.feed,
    async ({ query: { track }, request, reply }) => {
      const records = await database.read(request, ({ db }) =>
        listRecords(db, { trackId: track ?? null, limit: FEED_ENTRIES }),
      );
      const self = track === undefined ? '/api/feed/records' : `/api/feed/records?track=${track}`;
      const siteName = await findSiteName(database.db);
      const feed = writeFeed(records, { siteName, publicUrl, self, now: new Date() });
      return await send(reply, 'application/atom+xml', feed);
    },
    { callsPerMinute: CALLS_PER_MINUTE },
  );
}

function send(reply: FastifyReply, type: string, content: string): FastifyReply {
  return reply.type(`${type}; charset=utf-8`).header('cache-control', CACHE_CONTROL).send(content);
}

function writePath(trackId: string, filter: BoardFilter): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value) search.set(name, value);
  return `/track/${encodeURIComponent(trackId)}${search.size === 0 ? '' : `?${search.toString()}`}`;
}
