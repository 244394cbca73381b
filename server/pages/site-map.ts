import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { PAGES } from '#contract/pages.ts';
import { escapeHtml } from '#server/kernel/html.ts';
import { listEventIds, listTrackIds } from './site-map-store.ts';

const SITE_MAP = '/sitemap.xml';
const CACHE_CONTROL = 'public, max-age=3600';

export function mountSiteMap(app: FastifyInstance, { database, settings: { publicUrl } }: Services): void {
  app.get('/robots.txt', (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', CACHE_CONTROL)
      .send(writeRobots(publicUrl)),
  );
  app.get(SITE_MAP, async (request, reply) => {
    const paths = await database.read(request, async ({ pool }) => [
      ...(await listTrackIds(pool)).map((id) => fill(PAGES.track, id)),
      ...(await listEventIds(pool)).map((id) => fill(PAGES.event, id)),
    ]);
    return reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', CACHE_CONTROL)
      .send(writeSiteMap(publicUrl, paths));
  });
}

function writeRobots(publicUrl: string): string {
  // Programs that obey this file fetch the pictures of links; the pages fetch the rest by themselves.
  return `User-agent: *
Allow: /
Allow: /api/tracks
Allow: /api/laps
Allow: /api/events
Disallow: /api/

Sitemap: ${publicUrl}${SITE_MAP}
`;
}

/** Puts an id into the path of a page. */
function fill(page: string, id: string): string {
  return page.replace(/:\w+/, () => encodeURIComponent(id));
}

function writeSiteMap(publicUrl: string, paths: readonly string[]): string {
  const entries = [PAGES.home, PAGES.leaderboards, PAGES.events, ...paths].map(
    (path) => `<url><loc>${escapeHtml(publicUrl + path)}</loc></url>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('')}</urlset>
`;
}
