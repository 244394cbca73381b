import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertSignedIn } from '#server/testing/builders.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { isNewer } from './find-update.ts';

let testApp: TestApp;
let registry: Server;
let url: string;
let answer = '{}';
let asked: string[] = [];

beforeAll(async () => {
  registry = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end(answer);
  });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const address = registry.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/latest`;
  testApp = await startTestApp();
});
afterAll(async () => {
  await testApp.close();
  registry.closeAllConnections();
  registry.close();
});

/** What an administrator sees on a server that asks `updateUrl`. */
async function look(updateUrl: string | null, times = 1) {
  asked = [];
  const app = await startTestApp({ database: testApp.database, settings: { updateUrl } });
  const { headers } = await insertSignedIn(testApp.database.db, { isAdmin: true });
  let body: unknown;
  for (let time = 0; time < times; time += 1) {
    const response = await app.app.inject({ url: '/api/admin/operations', headers });
    expect(response.statusCode).toBe(200);
    body = response.json();
  }
  await app.close();
  return body;
}

test('administrators see the version, free space and what is stored; without UPDATE_URL nothing is asked', async () => {
  expect(await look(null)).toEqual({
    version: '1.2.3',
    update: { isChecked: false, latest: null },
    disk: {
      freeBytes: expect.any(Number),
      databaseBytes: expect.any(Number),
      lapFileBytes: expect.any(Number),
    },
  });
  expect(asked).toEqual([]);
});

test.each([
  ['{"version":"1.3.0"}', '1.3.0'],
  ['{"tag_name":"v2.0.0","html_url":"https://example.org"}', '2.0.0'],
  ['{"version":"1.2.3"}', null],
  ['{"version":"1.2.2"}', null],
  ['{"version":"<script>"}', null],
  ['not JSON', null],
  [`{"version":"9.9.9","x":"${'x'.repeat(1_100_000)}"}`, null],
])('an update is shown where the answer names a later version, asked for once', async (given, latest) => {
  answer = given;
  expect(await look(url, 2)).toMatchObject({ update: { isChecked: true, latest } });
  expect(asked).toEqual(['GET /latest']);
});

test('an address that does not answer is no failure of the page', async () => {
  expect(await look('http://127.0.0.1:9/')).toMatchObject({ update: { latest: null } });
});

test('versions are compared by their numbers', () => {
  expect(isNewer('1.10.0', '1.9.9')).toBe(true);
  expect(isNewer('1.9.9', '1.10.0')).toBe(false);
  expect(isNewer('2.0.0-beta', '1.0.0')).toBe(false);
});

test('guests get 401 and drivers 403', async () => {
  const { headers } = await insertSignedIn(testApp.database.db);
  expect((await testApp.app.inject({ url: '/api/admin/operations' })).statusCode).toBe(401);
  expect((await testApp.app.inject({ url: '/api/admin/operations', headers })).statusCode).toBe(403);
});
