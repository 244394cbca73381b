import { expect, test } from 'vitest';
import { insertSignedIn } from '#server/testing/builders.ts';
import { useHttpServer } from '#server/testing/http-server.ts';
import { startTestApp, useTestApp } from '#server/testing/test-app.ts';
import { isNewer } from './find-update.ts';

let answer = '{}';
let asked: string[] = [];

const app = useTestApp();
const registry = useHttpServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  response.end(answer);
});

/** Returns the answer to an administrator on a server that asks `updateUrl`. */
async function look(updateUrl: string | null, times = 1) {
  asked = [];
  const other = await startTestApp({ database: app.database, settings: { updateUrl } });
  const admin = await insertSignedIn(app.db, { isAdmin: true });
  let body: unknown;
  for (let time = 0; time < times; time += 1) {
    const response = await other.as(admin).get('/api/admin/operations');
    expect(response.statusCode).toBe(200);
    body = response.json();
  }
  return body;
}

test('administrators see the version, free space and what is stored; without UPDATE_URL nothing is asked', async () => {
  expect(await look(null)).toEqual({
    version: '1.2.3',
    update: { isChecked: false, latest: null },
    // The address is looked at with the first stream of notices.
    isBehindPooler: false,
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
  expect(await look(`${registry.url}/latest`, 2)).toMatchObject({ update: { isChecked: true, latest } });
  expect(asked).toEqual(['GET /latest']);
});

test('a URL that does not answer is no failure of the page', async () => {
  expect(await look('http://127.0.0.1:9/')).toMatchObject({ update: { latest: null } });
});

test('versions are compared by their numbers', () => {
  expect(isNewer('1.10.0', '1.9.9')).toBe(true);
  expect(isNewer('1.9.9', '1.10.0')).toBe(false);
  expect(isNewer('2.0.0-beta', '1.0.0')).toBe(false);
});

test('guests get 401 and drivers 403', async () => {
  const driver = await insertSignedIn(app.db);
  expect((await app.asGuest().get('/api/admin/operations')).statusCode).toBe(401);
  expect((await app.as(driver).get('/api/admin/operations')).statusCode).toBe(403);
});
