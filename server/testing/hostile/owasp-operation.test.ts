import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '#contract/api.ts';
import { LIMITS } from '#contract/limits.ts';
import { insertSignedIn } from '../builders.ts';
import { createUpload, sendImage } from '../images.ts';
import { kartCsv, postForm } from '../kart-uploads.ts';
import { insertStrangers, nameOf, type Strangers } from '../strangers.ts';
import { startTestApp, type TestApp } from '../test-app.ts';

// The risks of the OWASP API Security Top 10 of 2023 that are about how a server runs; owasp-access.test.ts has the others.

let testApp: TestApp;
let strangers: Strangers;

beforeAll(async () => {
  testApp = await startTestApp();
  strangers = await insertStrangers(testApp);
});
afterAll(() => testApp.close());

const db = () => testApp.database.db;

describe('API4, unrestricted resource consumption', () => {
  test('nothing of any size or depth is read without a limit', async () => {
    const { administrator, visitor, trackId, send } = strangers;
    const deep = `{"tracks":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const headers = { ...administrator.headers, 'content-type': 'application/json' };
    for (const url of ['/api/admin/create-tracks', '/api/apex/import']) {
      const response = await testApp.app.inject({ method: 'POST', url, headers, payload: deep });
      expect(response.statusCode, response.body.slice(0, 200)).toBeLessThan(500);
    }
    const large = { displayName: 'a'.repeat(2_000_000) };
    expect((await send(visitor, 'PATCH', '/api/auth/user/preferences', large)).statusCode).toBe(413);
    const board = `/api/laps/track/${trackId}/best`;
    for (const limit of [LIMITS.boardPageEntriesMax + 1, 1e9, -1, '1e3', 'Infinity'])
      expect((await send(null, 'GET', `${board}?limit=${limit}`)).statusCode).toBe(400);
    const search = await send(null, 'GET', `/api/car-library/search?q=${'a'.repeat(101)}`);
    expect(search.statusCode).toBe(400);
    // A pattern that takes exponentially long would hang this test.
    const name = `${'a '.repeat(40)}!`.slice(0, LIMITS.displayNameCharactersMax);
    const query = encodeURIComponent(`${'%'.repeat(40)}${'_'.repeat(40)}`);
    expect(
      (await send(visitor, 'PATCH', '/api/auth/user/preferences', { displayName: name })).statusCode,
    ).toBe(200);
    expect((await send(null, 'GET', `/api/car-library/search?q=${query}`)).json()).toEqual([]);
    // Node ends requests whose headers trickle; body-idle-timeout.ts ends those whose bodies do.
    expect(testApp.app.server.headersTimeout).toBeGreaterThan(0);
    expect(testApp.app.server.headersTimeout).toBeLessThanOrEqual(60_000);
  });
});

describe('API6, unrestricted access to sensitive business flows', () => {
  test('what costs much or could flood the boards is limited by address, and a recording counts once', async () => {
    const { owner, visitor, trackId } = strangers;
    const file = kartCsv();
    const parts: Parameters<typeof postForm>[2] = [
      ['trackId', trackId],
      ['files', file],
    ];
    const results = [owner, visitor].map(({ headers }) =>
      postForm(testApp.app, '/api/upload', parts, headers),
    );
    const successes = (await Promise.all(results)).map((response) => response.json().results[0].success);
    expect(successes.filter(Boolean)).toHaveLength(1);

    // From an address of its own, so that other tests are not refused.
    const flood = {
      method: 'POST',
      url: '/api/objects/upload',
      headers: visitor.headers,
      remoteAddress: '10.9.9.9',
    } as const;
    const statuses = new Set<number>();
    for (let count = 0; count < 200 && !statuses.has(429); count++)
      statuses.add((await testApp.app.inject(flood)).statusCode);
    expect(statuses).toEqual(new Set([200, 429]));
  });
});

describe('API7, server side request forgery', () => {
  test('the server never asks an address that a driver gives', async () => {
    const { trackId, send, sendLaps } = strangers;
    const asked: string[] = [];
    const trap = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    const address = trap.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/internal`;
    const mine = await insertSignedIn(db());
    const upload = await sendLaps(mine, { videoUrl: `${url}/video` });
    expect(upload.json().results[0].success).toBe(true);
    for (const given of [url, `${url}/api/objects/x.1.y`, 'file:///etc/passwd', 'gopher://127.0.0.1/'])
      expect((await send(mine, 'PUT', '/api/user/avatar', { avatarURL: given })).statusCode).toBe(400);
    const external = `<?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY x SYSTEM "${url}/entity">]><gpx><trk><name>&x;</name></trk></gpx>`;
    await postForm(
      testApp.app,
      '/api/analyze-gps',
      [['file', { name: 'a.gpx', content: external }]],
      mine.headers,
    );
    await send(mine, 'GET', '/api/auth/user');
    await send(null, 'GET', `/api/laps/track/${trackId}/best`);
    await send(null, 'GET', `/api/login?returnTo=${encodeURIComponent(url)}`);
    expect(asked).toEqual([]);
    await new Promise((resolve) => trap.close(resolve));
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
      const headers = { origin: 'https://elsewhere.example', ...visitor.headers };
      const response = await testApp.app.inject({ url, headers });
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
    const preflight = await testApp.app.inject({
      method: 'OPTIONS',
      url: '/api/user-cars',
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('API9, improper inventory management', () => {
  test('nothing answers under /api but what the table and the document name', async () => {
    const { administrator, carId, send } = strangers;
    const documented = (await send(null, 'GET', '/api/openapi.json')).json();
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
      expect((await send(administrator, 'GET', url)).statusCode, url).toBe(404);
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
    for (const { path } of ENDPOINTS) {
      const served = ENDPOINTS.filter((other) => matches(other.path, path)).map(({ method }) => method);
      for (const method of methods.filter((other) => !served.includes(other))) {
        const { statusCode } = await send(administrator, method, path.replaceAll(/:\w+/g, carId));
        expect([404, 405], `${method} ${path}`).toContain(statusCode);
      }
    }
  });
});

describe('API10, unsafe consumption of other services', () => {
  test('what a storage answers is checked as if a stranger had sent it', async () => {
    const { owner, send } = strangers;
    // Behind the back of the server something else comes to lie where an image was sent to.
    const address = await createUpload(testApp.app, owner.headers);
    expect((await send(owner, 'PUT', '/api/user/avatar', { avatarURL: address })).statusCode).toBe(404);
    const page = Buffer.from('<html><script>alert(1)</script></html>');
    const sent = await sendImage(testApp.app, owner.headers, page);
    expect((await send(owner, 'PUT', '/api/user/avatar', { avatarURL: sent })).statusCode).toBe(400);
  });
});

/** Whether a path that is one route's is another's too. */
function matches(route: string, path: string): boolean {
  return new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`).test(path);
}
