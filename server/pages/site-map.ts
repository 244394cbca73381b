import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import type { TrackId } from '#contract/ids.ts';
import { PAGES } from '#contract/pages.ts';
import { escapeHtml } from '#server/kernel/html.ts';
import { listTrackIds } from './site-map-store.ts';

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
    const trackIds = await database.read(request, ({ pool }) => listTrackIds(pool));
    return reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', CACHE_CONTROL)
      .send(writeSiteMap(publicUrl, trackIds));
  });
}

function writeRobots(publicUrl: string): string {
  // Programs that obey this file fetch the pictures of links; the pages fetch the rest by themselves.
  return `User-agent: *
Allow: /
Allow: /api/tracks
Allow: /api/laps
Disallow: /api/

Sitemap: ${publicUrl}${SITE_MAP}
`;
}

function writeSiteMap(publicUrl: string, trackIds: readonly TrackId[]): string {
  const paths = [
    PAGES.home,
    PAGES.leaderboards,
    PAGES.events,
    ...trackIds.map((id) => PAGES.track.replace(':trackId', () => encodeURIComponent(id))),
  ];
  const entries = paths.map((path) => `<url><loc>${escapeHtml(publicUrl + path)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('')}</urlset>
`;
}
