import { beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '#contract/api.ts';
import { LIMITS } from '#contract/limits.ts';
import { insertSignedIn } from '../builders.ts';
import { useHttpServer } from '../http-server.ts';
import { createUpload } from '../images.ts';
import { kartCsv } from '../kart-uploads.ts';
import { insertStrangers, nameOf, type Strangers } from '../strangers.ts';
import { useTestApp } from '../test-app.ts';

// The risks of the OWASP API Security Top 10 of 2023 that are about how a server runs; owasp-access.test.ts has the others.

const app = useTestApp();
let strangers: Strangers;

const asked: string[] = [];
const trap = useHttpServer((request, response) => {
  asked.push(request.url ?? '');
  response.end();
});

beforeAll(async () => {
  strangers = await insertStrangers(app);
});

describe('API4, unrestricted resource consumption', () => {
  test('nothing of any size or depth is read without a limit', async () => {
    const { administrator, visitor, trackId } = strangers;
    const deep = `{"tracks":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    for (const url of ['/api/admin/create-tracks', '/api/apex/import']) {
      const response = await app.as(administrator).post(url, deep, { 'content-type': 'application/json' });
      expect(response.statusCode, response.body.slice(0, 200)).toBeLessThan(500);
    }
    const large = { displayName: 'a'.repeat(2_000_000) };
    expect((await app.as(visitor).patch('/api/auth/user/preferences', large)).statusCode).toBe(413);
    const board = `/api/laps/track/${trackId}/best`;
    for (const limit of [LIMITS.boardPageEntriesMax + 1, 1e9, -1, '1e3', 'Infinity'])
      expect((await app.asGuest().get(`${board}?limit=${limit}`)).statusCode).toBe(400);
    const search = await app.asGuest().get(`/api/car-library/search?q=${'a'.repeat(101)}`);
    expect(search.statusCode).toBe(400);
    // A pattern that takes exponentially long would hang this test.
    const name = `${'a '.repeat(40)}!`.slice(0, LIMITS.displayNameCharactersMax);
    const query = encodeURIComponent(`${'%'.repeat(40)}${'_'.repeat(40)}`);
    expect(
      (await app.as(visitor).patch('/api/auth/user/preferences', { displayName: name })).statusCode,
    ).toBe(200);
    expect((await app.asGuest().get(`/api/car-library/search?q=${query}`)).json()).toEqual([]);
    // Node ends requests whose headers trickle; body-idle-timeout.ts ends those whose bodies do.
    expect(app.fastify.server.headersTimeout).toBe(60_000);
  });
});

describe('API6, unrestricted access to sensitive business flows', () => {
  test('expensive calls are limited by address, and a recording counts once', async () => {
    const { owner, visitor, trackId } = strangers;
    const file = kartCsv();
    const results = [owner, visitor].map((who) => app.as(who).uploadLaps(trackId, file));
    const successes = (await Promise.all(results)).map((response) => response.json().results[0].success);
    expect(successes.filter(Boolean)).toHaveLength(1);

    // The flood has an IP address of its own, so that other tests are not refused.
    const flood = app.as({ ...visitor, remoteAddress: '10.9.9.9' });
    const statuses = new Set<number>();
    for (let count = 0; count < 200 && !statuses.has(429); count++)
      statuses.add((await flood.post('/api/objects/upload')).statusCode);
    expect(statuses).toEqual(new Set([200, 429]));
  });
});

describe('API7, server side request forgery', () => {
  test('the server never asks a URL that a driver gives', async () => {
    const { trackId } = strangers;
    const url = `${trap.url}/internal`;
    const mine = await insertSignedIn(app.db);
    const upload = await app.as(mine).uploadLaps(trackId, kartCsv(), { videoUrl: `${url}/video` });
    expect(upload.json().results[0].success).toBe(true);
    for (const given of [url, `${url}/api/objects/x.1.y`, 'file:///etc/passwd', 'gopher://127.0.0.1/'])
      expect((await app.as(mine).put('/api/user/avatar', { avatarURL: given })).statusCode).toBe(400);
    const external = `<?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY x SYSTEM "${url}/entity">]><gpx><trk><name>&x;</name></trk></gpx>`;
    await app.as(mine).postForm('/api/analyze-gps', [['file', { name: 'a.gpx', content: external }]]);
    await app.as(mine).get('/api/auth/user');
    await app.asGuest().get(`/api/laps/track/${trackId}/best`);
    await app.asGuest().get(`/api/login?returnTo=${encodeURIComponent(url)}`);
    expect(asked).toEqual([]);
  });
});

describe('API8, security misconfiguration', () => {
  test('every answer has the headers that browsers need, no other site may read it, and it shows no internals', async () => {
    const { visitor } = strangers;
    const urls = [
      '/',
      '/api/health',
      '/api/none',
      '/api/admin/audit-log',
      '/api/users/%00',
      '/assets/none.js',
    ];
    for (const url of urls) {
      const response = await app.as(visitor).get(url, { origin: 'https://elsewhere.example' });
      expect(response.headers, url).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': expect.stringMatching(/SAMEORIGIN|DENY/),
        'referrer-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      const policy = String(response.headers['content-security-policy']);
      expect(policy).toContain("object-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy.match(/script-src [^;]*/)?.[0]).not.toMatch(/unsafe|\*|https?:/);
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
      expect(response.headers).not.toHaveProperty('x-powered-by');
      expect(response.headers).not.toHaveProperty('server');
      expect(response.body).not.toMatch(/\n\s+at |node_modules|SELECT /);
    }
    const preflight = await app.fastify.inject({
      method: 'OPTIONS',
      url: '/api/user-cars',
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'POST',
      },
    });
    expect(preflight.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('API9, improper inventory management', () => {
  test('nothing answers under /api but what the table and the document name', async () => {
    const { administrator, carId } = strangers;
    const documented = (await app.asGuest().get('/api/openapi.json')).json();
    const named = Object.entries<object>(documented.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(named.toSorted()).toEqual(ENDPOINTS.map(nameOf).toSorted());
    const old = [
      '/api',
      '/api/',
      '/api/v1/tracks',
      '/api/debug',
      '/api/metrics',
      '/metrics',
      '/.env',
      '/.git/config',
    ];
    for (const url of [
      ...old,
      '/package.json',
      '/api/users',
      '/api/sessions',
      '/api/graphql',
      '/server/main.js',
    ])
      expect((await app.as(administrator).get(url)).statusCode, url).toBe(404);
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
    for (const { path } of ENDPOINTS) {
      const served = ENDPOINTS.filter((other) => matches(other.path, path)).map(({ method }) => method);
      for (const method of methods.filter((other) => !served.includes(other))) {
        const { statusCode } = await app.as(administrator).send(method, path.replaceAll(/:\w+/g, carId));
        expect([404, 405], `${method} ${path}`).toContain(statusCode);
      }
    }
  });
});

describe('API10, unsafe consumption of other services', () => {
  test('the answers of a storage are checked like the requests of a stranger', async () => {
    const { owner } = strangers;
    // Behind the back of the server something else comes to lie where an image was sent to.
    const address = await createUpload(app.as(owner));
    expect((await app.as(owner).put('/api/user/avatar', { avatarURL: address })).statusCode).toBe(404);
    const page = Buffer.from('<html><script>alert(1)</script></html>');
    const sent = await app.as(owner).sendImage(page);
    expect((await app.as(owner).put('/api/user/avatar', { avatarURL: sent })).statusCode).toBe(400);
  });
});

/** Tells whether a path of one route is a path of another, too. */
function matches(route: string, path: string): boolean {
  return new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`).test(path);
}
