import { once } from 'node:events';
import { request } from 'node:http';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { asTrackId } from '#contract/testing/ids.ts';
import type { PageRenderer } from '#contract/pages.ts';
import { mergedTracks, tracks } from '#server/model/tracks/schema.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { insertSignedIn, insertTrack } from '#server/testing/builders.ts';
import { startTestApp, useTestApp } from '#server/testing/test-app.ts';
import { loadRenderer } from './render-page.ts';

const PATIENCE = { timeout: 30_000, interval: 100 };
const TEMPLATE = `<!doctype html><html><head>
  <title>Pitboard</title>
  <meta
    name="description"
    content="Anything."
  />
  <link rel="stylesheet" crossorigin href="/assets/index-1.css">
  </head><body><div id="root"></div></body></html>`;

// Vite writes this form.
const MANIFEST = {
  'index.html': { file: 'assets/index-1.js', css: ['assets/index-1.css'] },
  '_shared.js': { file: 'assets/shared-1.js', css: ['assets/shared-1.css'] },
  'pages/home.tsx': { file: 'assets/home-1.js', imports: ['index.html', '_shared.js'] },
  'pages/track.tsx': { file: 'assets/track-1.js', css: ['assets/track-1.css'], imports: ['_shared.js'] },
};

const app = useTestApp(async () => {
  webFolder = await mkdtemp(join(tmpdir(), 'pitboard-web-'));
  await mkdir(join(webFolder, '.vite'));
  await writeFile(join(webFolder, 'index.html'), TEMPLATE);
  await writeFile(join(webFolder, '.vite/manifest.json'), JSON.stringify(MANIFEST));
  await mkdir(join(webFolder, 'assets'));
  await writeFile(join(webFolder, 'assets/index-1.css'), '.index{}');
  await writeFile(join(webFolder, 'assets/shared-1.css'), '.shared{}');
  await writeFile(join(webFolder, 'assets/track-1.css'), '.track{content:"</style>"}');
  await writeFile(join(webFolder, 'assets/page-1.js'), 'plain');
  await writeFile(join(webFolder, 'assets/page-1.js.br'), brotliCompressSync('small'));
  const renderer = await loadRenderer(join(projectFolder, 'web/render.tsx'));
  return { webFolder, ...(renderer && { renderer }) };
});
const guest = app.asGuest();
let webFolder: string;

afterAll(async () => {
  await rm(webFolder, { recursive: true });
});

/** Reads the answers that a page carries for the queries of the browser, by the path of each. */
function dataIn(html: string): Record<string, unknown> {
  const [, json = '{}'] = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html) ?? [];
  const { queries } = z
    .object({
      queries: z.array(z.object({ queryKey: z.array(z.unknown()), state: z.object({ data: z.unknown() }) })),
    })
    .parse(JSON.parse(json));
  return Object.fromEntries(queries.map(({ queryKey, state }) => [pathOf(queryKey), state.data]));
}

function pathOf(key: readonly unknown[]): string {
  return `/${key.filter((part) => typeof part === 'string').join('/')}`;
}

test('the page of a track that was merged leads to that of the other one, with its query', async () => {
  const trackId = await insertTrack(app.db);
  await app.db.insert(mergedTracks).values({ id: asTrackId('old-ring'), intoTrackId: trackId });
  // A page that takes long is left to the browser, which follows the calls.
  await vi.waitFor(async () => {
    const page = await guest.get('/track/old-ring?timePeriod=1-year');
    expect([page.statusCode, page.headers.location]).toEqual([308, `/track/${trackId}?timePeriod=1-year`]);
  }, PATIENCE);
  expect((await guest.get('/track/no-ring')).statusCode).toBe(404);
});

test('a page is rendered with its data, and without a renderer it is empty', async () => {
  expect((await guest.get('/leaderboards')).body).toContain('Track Leaderboards</h1>');
  const plain = await startTestApp({ webFolder, database: app.database });
  const { body, statusCode } = await plain.asGuest().get('/leaderboards');

  expect(statusCode).toBe(200);
  expect(body).toContain('<div id="root"></div>');
  expect(body).toContain('<title>Track Leaderboards · Pitboard</title>');
});

test('a page brings the styles and names the scripts of its chunk and of what that imports, each once', async () => {
  const { body } = await guest.get('/');
  expect(body.match(/<link rel="modulepreload"[^>]*>/g)).toEqual(
    ['index', 'shared', 'home'].map(
      (name) => `<link rel="modulepreload" crossorigin href="/assets/${name}-1.js">`,
    ),
  );
  expect(body.match(/<style>.*?<\/style>/g)).toEqual(['<style>.index{}</style>', '<style>.shared{}</style>']);
  expect(body).toContain('<link rel="stylesheet" type="text/inlined" href="/assets/shared-1.css">');
});

test('styles that would end their element stay outside of the page', async () => {
  const { body } = await guest.get(`/track/${await insertTrack(app.db)}`);
  expect(body).toContain('<link rel="stylesheet" crossorigin href="/assets/track-1.css">');
  expect(body).not.toContain('.track{');
});

test('a page that cannot be rendered is sent empty', async () => {
  const broken: PageRenderer = {
    renderPage: () => Promise.reject(new Error('A component throws.')),
    sendCallsThrough: () => undefined,
  };
  const failing = await startTestApp({ webFolder, database: app.database, renderer: broken });
  const response = await failing.asGuest().get('/leaderboards');

  expect([response.statusCode, response.body.includes('<div id="root"></div>')]).toEqual([200, true]);
  expect(dataIn(response.body)).toEqual({});
});

test('the preview of a link waits longer for its data than a browser, which fetches the rest itself', async () => {
  const patience: number[] = [];
  const noting: PageRenderer = {
    renderPage: ({ patienceMs }) => {
      patience.push(patienceMs);
      return Promise.resolve({ html: '', data: { queries: [] } });
    },
    sendCallsThrough: () => undefined,
  };
  const noted = await startTestApp({ webFolder, database: app.database, renderer: noting });
  await noted.asGuest().get('/leaderboards', { 'sec-fetch-mode': 'navigate' });
  await noted.asGuest().get('/leaderboards');
  const [ofBrowser = 0, ofPreview = 0] = patience;
  expect(ofBrowser).toBeGreaterThan(0);
  expect(ofPreview).toBeGreaterThan(ofBrowser);
});

test('templates and manifests of pages are not served, however their paths are written', async () => {
  const { port } = new URL(await app.fastify.listen({ host: '127.0.0.1', port: 0 }));
  for (const path of [
    '/.vite/manifest.json',
    '//.vite/manifest.json',
    '/./.vite/manifest.json',
    '/assets/../.vite/manifest.json',
    '/assets//.././documents//home.html',
    '/%2evite/manifest.json',
    '/%2e/.vite/manifest.json',
    '/assets/%2e%2e/.vite/manifest.json',
    '/.vite%2fmanifest.json',
    '/%2f.vite/manifest.json',
  ]) {
    // Sends the path as it is, unlike everything that takes a URL.
    const call = request({ host: '127.0.0.1', port, path }).end();
    const [response] = await once(call, 'response');
    response.resume();
    expect([path, response.statusCode]).toEqual([path, 404]);
  }
});

test.each(['/nothing', '/Leaderboards', '/%', '/track/%ff%fe'])(
  'a path that is no page has a document that says so: %s',
  async (path) => {
    const { statusCode, headers } = await guest.get(path);
    expect(statusCode).toBe(404);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  },
);

test('a script is sent as the build has compressed it, to browsers that understand that', async () => {
  const compressed = await guest.get('/assets/page-1.js', { 'accept-encoding': 'gzip, br' });
  expect(compressed.headers).toMatchObject({
    'content-type': expect.stringContaining('javascript'),
    'content-encoding': 'br',
    vary: 'accept-encoding',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe('small');
  const plain = await guest.get('/assets/page-1.js');
  expect([plain.body, plain.headers['vary']]).toEqual(['plain', 'accept-encoding']);
});

test('a page carries what its calls would answer: to a guest and to a driver', async () => {
  const trackId = await insertTrack(app.db);
  const driver = await insertSignedIn(app.db);
  const asGuest = dataIn((await guest.get('/leaderboards')).body);
  expect(asGuest).toMatchObject({
    '/api/auth/user': null,
    '/api/tracks': (await guest.get('/api/tracks')).json(),
  });
  const page = await app.as(driver).get(`/track/${trackId}`);
  const asDriver = dataIn(page.body);
  expect(asDriver).toMatchObject({
    '/api/auth/user': (await app.as(driver).get('/api/auth/user')).json(),
    [`/api/tracks/${trackId}`]: (await guest.get(`/api/tracks/${trackId}`)).json(),
    [`/api/laps/track/${trackId}/best/pages`]: { pages: [[]] },
    [`/api/laps/track/${trackId}/summary`]: { totalLaps: 0, racers: 0 },
  });
  expect(asDriver['/api/auth/user']).toMatchObject({ id: driver.userId });
  expect(page.body).toContain('aria-label="Profile"');
});

test('pages that are rendered at the same moment know each only their own visitor', async () => {
  const visitors = await Promise.all(Array.from({ length: 6 }, () => insertSignedIn(app.db)));
  const pages = await Promise.all(
    [...visitors, { headers: {} }].map(({ headers }) => app.as({ headers }).get('/')),
  );
  const users = pages.map(({ body }) => dataIn(body)['/api/auth/user']);
  expect(users).toEqual([...visitors.map(({ userId }) => expect.objectContaining({ id: userId })), null]);
});

test('the own profile carries the garage; a guest, who has none, is sent the page all the same', async () => {
  const driver = await insertSignedIn(app.db);
  // On a busy machine an answer may come after the page, which then goes without it.
  await vi.waitFor(async () => {
    const data = dataIn((await app.as(driver).get('/profile')).body);
    expect(Object.keys(data).toSorted()).toEqual([
      '/api/auth/user',
      '/api/demo',
      `/api/laps/user/${driver.userId}/by-car`,
      `/api/laps/user/${driver.userId}/total-count`,
      '/api/user-cars',
    ]);
  }, PATIENCE);
  const asGuest = await guest.get('/profile');
  expect([asGuest.statusCode, Object.keys(dataIn(asGuest.body)).toSorted()]).toEqual([
    200,
    ['/api/auth/user', '/api/demo'],
  ]);
});

test('no cache keeps a page', async () => {
  const driver = await insertSignedIn(app.db);
  expect((await app.as(driver).get('/')).headers['cache-control']).toBe('private, no-store');
});

test('names cannot break out of the page', async () => {
  const name = '</script><script>alert("$&")</script><!-- &amp;';
  const trackId = await insertTrack(app.db, { name });
  const { body } = await guest.get(`/track/${trackId}`);
  expect(body).not.toContain('</script><script>alert');
  expect(dataIn(body)[`/api/tracks/${trackId}`]).toMatchObject({ name });
  expect(body).toContain(
    '<title>&lt;/script&gt;&lt;script&gt;alert(&quot;$&amp;&quot;)&lt;/script&gt;&lt;!-- &amp;amp; · Pitboard</title>',
  );
});

test('title and description tell what the page is about', async () => {
  const trackId = await insertTrack(app.db, {
    name: 'Brands Hatch',
    configuration: 'Indy',
    location: 'Kent',
  });
  const { body } = await guest.get(`/track/${trackId}`);
  expect(body).toContain('<title>Brands Hatch · Pitboard</title>');
  expect(body).toContain('content="The leaderboard of Brands Hatch (Indy), Kent: every driver’s best lap');
  expect((await guest.get('/')).body).toContain('<title>Pitboard</title>');
  expect((await guest.get('/upload')).body).toContain('<title>Upload Lap Data · Pitboard</title>');
});

test('an unknown track gets the status 404 and a title that says so', async () => {
  for (const path of ['/track/no-such-track', '/track/No%20Id']) {
    const response = await guest.get(path);
    expect(response.statusCode, path).toBe(404);
    expect(response.body).toContain('<title>Track not found · Pitboard</title>');
    expect(response.body).not.toContain('rel="canonical"');
  }
  expect((await guest.get('/track/no-such-track?x=1')).headers['cache-control']).toBe('private, no-store');
});

test('a link that is shared shows what the page is about, by whole URLs', async () => {
  const trackId = await insertTrack(app.db, { name: 'A "quoted" <ring>' });
  const { body } = await guest.get(`/track/${trackId}?make=BMW`);
  const origin = 'http://localhost:4200';
  expect(body).toContain(
    '<meta property="og:title" content="A &quot;quoted&quot; &lt;ring&gt; · Pitboard" />',
  );
  expect(body).toContain(`<meta property="og:url" content="${origin}/track/${trackId}" />`);
  expect(body).toContain(`<link rel="canonical" href="${origin}/track/${trackId}" />`);
  expect(body).toContain(
    `<meta property="og:image" content="${origin}/api/tracks/${trackId}/preview.png" />`,
  );
  expect(body).toContain('<meta name="twitter:card" content="summary_large_image" />');
  const home = (await guest.get('/')).body;
  expect(home).toContain(`<meta property="og:image" content="${origin}/preview.png" />`);
  expect(home).toContain(`<meta property="og:url" content="${origin}/" />`);
});

test('search engines get the list of public pages', async () => {
  const trackId = await insertTrack(app.db);
  const robots = await guest.get('/robots.txt');
  expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(robots.body).toContain('Sitemap: http://localhost:4200/sitemap.xml');
  const siteMap = await guest.get('/sitemap.xml');
  expect(siteMap.headers['content-type']).toBe('application/xml; charset=utf-8');
  expect(siteMap.body).toContain(`<url><loc>http://localhost:4200/track/${trackId}</loc></url>`);
  expect(siteMap.body).not.toContain('/profile');
});

test('a list that is too long for a page is announced instead', async () => {
  const { db } = app.database;
  const before = await guest.get('/');
  expect(before.headers['link']).toBeUndefined();
  const trackId = await insertTrack(db, { name: 'N'.repeat(300_000) });
  onTestFinished(async () => void (await db.delete(tracks).where(eq(tracks.id, trackId))));
  // A page that takes long is left to the browser.
  await vi.waitFor(async () => {
    const response = await guest.get('/');
    expect(response.headers['link']).toBe(
      '</api/tracks?limit=60>; rel=preload; as=fetch; crossorigin=use-credentials',
    );
    expect(Object.keys(dataIn(response.body)).toSorted()).toEqual([
      '/api/auth/sign-in-methods',
      '/api/auth/user',
      '/api/demo',
      '/api/live',
    ]);
  }, PATIENCE);
});
