import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '#server/kernel/database/database.ts';
import { insertSignedIn, signIn } from '#server/testing/builders.ts';
import { startTestApp, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp(async () => {
  webFolder = await mkdtemp(join(tmpdir(), 'pitboard-web-'));
  await mkdir(join(webFolder, 'assets'));
  await writeFile(
    join(webFolder, 'index.html'),
    '<!doctype html><script>theme()</script><script type="module" src="/assets/app-1.js"></script>',
  );
  await writeFile(join(webFolder, 'assets/app-1.js'), 'export {};');
  await writeFile(join(webFolder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  return { webFolder };
});
const guest = app.asGuest();
let webFolder: string;

afterAll(async () => {
  await rm(webFolder, { recursive: true });
});

test('the paths of the pages answer with the document; others too, but as not found', async () => {
  for (const path of [
    '/',
    '/leaderboards',
    '/profile',
    '/profile/edit',
    '/garage/add',
    '/admin/apex-import',
  ]) {
    const response = await guest.get(path);
    expect([path, response.statusCode]).toEqual([path, 200]);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.headers['cache-control']).toBe('private, no-store');
  }
  const unknown = await guest.get('/no/such/page');
  expect(unknown.statusCode).toBe(404);
  expect(unknown.body).toContain('<!doctype html>');
});

test('a URL of the API or of a file that is not there gets no document', async () => {
  for (const path of ['/api/nothing', '/api', '/assets/gone-2.js']) {
    const response = await guest.get(path);
    expect([path, response.statusCode]).toEqual([path, 404]);
    expect(response.json()).toEqual({ error: 'not_found', message: 'There is nothing at this address.' });
  }
  expect((await guest.post('/leaderboards')).statusCode).toBe(404);
});

test('a file outside of the web folder cannot be had', async () => {
  const pages = ['/../package.json', '/%2e%2e/package.json', '/..%5cpackage.json'];
  for (const path of pages) {
    const response = await guest.get(path);
    expect([path, response.statusCode]).toEqual([path, 404]);
    expect(response.body).toBe(await readFile(join(webFolder, 'index.html'), 'utf8'));
  }
  const asset = await guest.get('/assets/..%2f..%2fpackage.json');
  expect(asset.statusCode).toBe(404);
  expect(asset.json()).toEqual({ error: 'not_found', message: 'There is nothing at this address.' });
});

test('files named after their content are kept for ever by browsers, others are asked for again', async () => {
  expect((await guest.get('/assets/app-1.js')).headers['cache-control']).toBe(
    'public, max-age=31536000, immutable',
  );
  expect((await guest.get('/favicon.svg')).headers['cache-control']).toBe(
    'public, max-age=0, must-revalidate',
  );
});

test('the policy allows the script of the document by its hash, and no other inline script', async () => {
  const policy = String((await guest.get('/')).headers['content-security-policy']);
  // The hash of "theme()", by: printf 'theme()' | openssl dgst -sha256 -binary | base64
  expect(policy).toContain("script-src 'self' 'sha256-Rfr3GgHZFiXm+TmNr+li+0sZ4J9FGllo8jsXcJF5XZ8='");
  expect(policy.split(';').find((directive) => directive.startsWith('script-src'))).not.toContain('unsafe');
});

test('every answer has an id, which the log has too', async () => {
  const [first, second] = [await guest.get('/api/health'), await guest.get('/api/health')];
  expect(first.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
});

test('large answers are compressed for those who can read that', async () => {
  const response = await guest.get('/api/openapi.json', { 'accept-encoding': 'gzip' });
  expect(response.headers['content-encoding']).toBe('gzip');
  expect((await guest.get('/api/openapi.json')).headers['content-encoding']).toBeUndefined();
});

test('a browser that shows its own site, or a program without a site, may change something', async () => {
  const driver = await insertSignedIn(app.db);
  const signs: Record<string, string>[] = [
    {},
    { origin: 'http://localhost:4200' },
    { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:4200' },
  ];
  for (const sign of signs) {
    const response = await app.as(driver).patch('/api/auth/user/preferences', { emailUpdates: true }, sign);
    expect(response.statusCode).toBe(200);
  }
});

test('an ended sign-in and an invented one are those of a guest', async () => {
  const { userId } = await insertSignedIn(app.db);
  const ended = await signIn(app.db, userId, -1_000);
  for (const headers of [ended, { cookie: 'pitboard_sign_in=invented' }, { cookie: 'pitboard_sign_in=' }]) {
    expect((await app.as({ headers }).get('/api/auth/user')).statusCode).toBe(401);
  }
});

test('calling too often is answered with a sentence', async () => {
  const other = await startTestApp({ database: app.database });
  const call = () => other.asGuest().get('/api/auth/callback');
  for (let calls = 0; calls < 60; calls++) expect((await call()).statusCode).toBe(302);
  const response = await call();
  expect(response.statusCode).toBe(429);
  expect(response.json()).toMatchObject({ error: 'too_many_requests' });
  expect(response.headers['retry-after']).toBeDefined();
});

test('without its database the server says so and stays up', async () => {
  const database = openDatabase('postgresql://pitboard@127.0.0.1:1/nothing');
  // A server looks for its demo before it listens, while the database is there.
  const demo = {
    status: async () => ({ state: 'none' as const, driversDone: 0, drivers: 0 }),
    listAccounts: async () => [],
    remove: async () => ({ drivers: 0, sessions: 0 }),
    prepare: () => {},
    stop: async () => {},
  };
  const other = await startTestApp({ database, demo });
  const response = await other.asGuest().get('/api/ready');
  expect(response.statusCode).toBe(503);
  expect(response.headers['retry-after']).toBe('60');
  expect(response.json()).toEqual({
    error: 'unavailable',
    message: 'The database does not answer just now. Please try again in a minute.',
  });

  await database.close();
});

test('a character that no database stores is refused as bad input, with no word of the inside', async () => {
  for (const url of ['/api/car-library/search?q=ab%00', '/api/laps/track/brands-hatch/best?make=%00']) {
    const response = await guest.get(url);
    expect([400, 404]).toContain(response.statusCode);
    expect(response.json().error).not.toBe('internal');
  }
});
