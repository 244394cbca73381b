import { once } from 'node:events';
import { request } from 'node:http';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { insertSignedIn, insertTrack } from '#server/testing/builders.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

const documentOf = (content: string) => `<!doctype html><html><head>
  <title>Pitboard</title>
  <meta
    name="description"
    content="Anything."
  /></head><body><div id="root">${content}</div></body></html>`;

let testApp: TestApp;
let webFolder: string;

beforeAll(async () => {
  webFolder = await mkdtemp(join(tmpdir(), 'pitboard-web-'));
  await mkdir(join(webFolder, 'documents'));
  await writeFile(join(webFolder, 'index.html'), documentOf(''));
  await writeFile(join(webFolder, 'documents/home.html'), documentOf('drawn home'));
  await mkdir(join(webFolder, 'assets'));
  await writeFile(join(webFolder, 'assets/page-1.js'), 'plain');
  await writeFile(join(webFolder, 'assets/page-1.js.br'), brotliCompressSync('small'));
  testApp = await startTestApp({ webFolder });
});
afterAll(async () => {
  await testApp.close();
  await rm(webFolder, { recursive: true });
});

const get = (url: string, headers = {}) => testApp.app.inject({ url, headers });

function answersIn(html: string): Record<string, unknown> {
  const [, json = '{}'] =
    /<script type="application\/json" id="first-answers">(.*?)<\/script>/s.exec(html) ?? [];
  return z.record(z.string(), z.unknown()).parse(JSON.parse(json));
}

test('a page is sent as it was drawn when it was built; one that was not drawn is sent empty', async () => {
  expect((await get('/')).body).toContain('<div id="root">drawn home</div>');
  expect((await get('/leaderboards')).body).toContain('<div id="root"></div>');
  expect((await get('/documents/home.html')).statusCode).toBe(404);
  expect((await get('/index.html')).statusCode).toBe(404);
});

test('what pages are made of is not a page, however its path is written', async () => {
  const { port } = new URL(await testApp.app.listen({ host: '127.0.0.1', port: 0 }));
  for (const path of [
    '/documents/home.html',
    '//documents/home.html',
    '/./documents/home.html',
    '/assets/../documents/home.html',
    '/assets//.././documents//home.html',
    '/%64ocuments/home.html',
    '/%2e/documents/home.html',
    '/assets/%2e%2e/documents/home.html',
    '/documents%2fhome.html',
    '/%2fdocuments/home.html',
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
    const { statusCode, headers } = await get(path);
    expect(statusCode).toBe(404);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  },
);

test('a script is sent as the build has compressed it, to browsers that understand that', async () => {
  const compressed = await get('/assets/page-1.js', { 'accept-encoding': 'gzip, br' });
  expect(compressed.headers).toMatchObject({
    'content-type': expect.stringContaining('javascript'),
    'content-encoding': 'br',
    vary: 'accept-encoding',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe('small');
  const plain = await get('/assets/page-1.js');
  expect([plain.body, plain.headers['vary']]).toEqual(['plain', 'accept-encoding']);
});

test('the document carries what the first calls would answer: to a guest and to a driver', async () => {
  const trackId = await insertTrack(testApp.database.db);
  const { userId, headers } = await insertSignedIn(testApp.database.db);
  const asGuest = answersIn((await get('/leaderboards')).body);
  expect(asGuest).toEqual({ '/api/auth/user': null, '/api/tracks': (await get('/api/tracks')).json() });
  const asDriver = answersIn((await get(`/track/${trackId}`, headers)).body);
  expect(asDriver).toEqual({
    '/api/auth/user': (await get('/api/auth/user', headers)).json(),
    [`/api/tracks/${trackId}`]: (await get(`/api/tracks/${trackId}`)).json(),
  });
  expect(asDriver['/api/auth/user']).toMatchObject({ id: userId });
});

test('the own profile carries the garage; a guest, who has none, is sent the page all the same', async () => {
  const { userId, headers } = await insertSignedIn(testApp.database.db);
  const answers = answersIn((await get('/profile', headers)).body);
  expect(Object.keys(answers)).toEqual([
    '/api/auth/user',
    '/api/user-cars',
    `/api/laps/user/${userId}/by-car`,
  ]);
  const asGuest = await get('/profile');
  expect([asGuest.statusCode, answersIn(asGuest.body)]).toEqual([200, { '/api/auth/user': null }]);
});

test('nobody else sees the document again', async () => {
  const { headers } = await insertSignedIn(testApp.database.db);
  expect((await get('/', headers)).headers['cache-control']).toBe('private, no-store');
});

test('names cannot break out of the document', async () => {
  const name = '</script><script>alert("$&")</script><!-- &amp;';
  const trackId = await insertTrack(testApp.database.db, { name });
  const { body } = await get(`/track/${trackId}`);
  expect(body).not.toContain('</script><script>alert');
  expect(answersIn(body)[`/api/tracks/${trackId}`]).toMatchObject({ name });
  expect(body).toContain(
    '<title>&lt;/script>&lt;script>alert(&quot;$&amp;&quot;)&lt;/script>&lt;!-- &amp;amp; · Pitboard</title>',
  );
});

test('title and description tell what the page is about', async () => {
  const trackId = await insertTrack(testApp.database.db, {
    name: 'Brands Hatch',
    configuration: 'Indy',
    location: 'Kent',
  });
  const { body } = await get(`/track/${trackId}`);
  expect(body).toContain('<title>Brands Hatch · Pitboard</title>');
  expect(body).toContain('content="The leaderboard of Brands Hatch (Indy), Kent: every driver’s best lap');
  expect((await get('/')).body).toContain('<title>Pitboard</title>');
  expect((await get('/upload')).body).toContain('<title>Upload Lap Data · Pitboard</title>');
});

test('a track that does not exist is told by the status and the title, whatever is not its name', async () => {
  for (const path of ['/track/no-such-track', '/track/No%20Id']) {
    const response = await get(path);
    expect(response.statusCode, path).toBe(404);
    expect(response.body).toContain('<title>Track not found · Pitboard</title>');
    expect(response.body).not.toContain('rel="canonical"');
  }
  expect((await get('/track/no-such-track?x=1')).headers['cache-control']).toBe('private, no-store');
});

test('a link that is shared shows what the page is about, by whole addresses', async () => {
  const trackId = await insertTrack(testApp.database.db, { name: 'A "quoted" <ring>' });
  const { body } = await get(`/track/${trackId}?make=BMW`);
  const origin = 'http://localhost:4200';
  expect(body).toContain('<meta property="og:title" content="A &quot;quoted&quot; &lt;ring> · Pitboard" />');
  expect(body).toContain(`<meta property="og:url" content="${origin}/track/${trackId}" />`);
  expect(body).toContain(`<link rel="canonical" href="${origin}/track/${trackId}" />`);
  expect(body).toContain(
    `<meta property="og:image" content="${origin}/api/tracks/${trackId}/preview.png" />`,
  );
  expect(body).toContain('<meta name="twitter:card" content="summary_large_image" />');
  const home = (await get('/')).body;
  expect(home).toContain(`<meta property="og:image" content="${origin}/preview.png" />`);
  expect(home).toContain(`<meta property="og:url" content="${origin}/" />`);
});

test('search engines are told the pages that are for everybody', async () => {
  const trackId = await insertTrack(testApp.database.db);
  const robots = await get('/robots.txt');
  expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(robots.body).toContain('Sitemap: http://localhost:4200/sitemap.xml');
  const siteMap = await get('/sitemap.xml');
  expect(siteMap.headers['content-type']).toBe('application/xml; charset=utf-8');
  expect(siteMap.body).toContain(`<url><loc>http://localhost:4200/track/${trackId}</loc></url>`);
  expect(siteMap.body).not.toContain('/profile');
});

test('a list that is too long for the document is announced instead', async () => {
  const { db } = testApp.database;
  const before = await get('/');
  expect(before.headers['link']).toBeUndefined();
  await insertTrack(db, { name: 'N'.repeat(300_000) });
  const response = await get('/');
  expect(response.headers['link']).toBe('</api/tracks>; rel=preload; as=fetch; crossorigin=use-credentials');
  expect(Object.keys(answersIn(response.body))).toEqual(['/api/auth/user']);
});
