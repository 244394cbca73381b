import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENDPOINTS } from '#contract/api.ts';
import { insertStrangers, type Strangers } from '../strangers.ts';
import { startTestApp, type TestApp } from '../test-app.ts';

let testApp: TestApp;
let strangers: Strangers;

beforeAll(async () => {
  testApp = await startTestApp();
  strangers = await insertStrangers(testApp);
});
afterAll(() => testApp.close());

// What is the same for everybody and means to be stored on its way.
const PUBLIC = new Set([
  '/api/images/:key',
  '/api/tracks/:trackId/preview.png',
  '/api/tracks/:trackId/laps/:lapId/preview.png',
]);

test('no proxy may store what anybody is answered, unless it is meant for all', async () => {
  const { administrator, trackId, send } = strangers;
  const read = ENDPOINTS.filter(({ method, path }) => method === 'GET' && !PUBLIC.has(path));
  expect(read.length).toBeGreaterThan(20);
  for (const { path } of read) {
    const url = path.replace(':trackId', trackId).replaceAll(/:\w+/g, administrator.userId);
    for (const caller of [administrator, null]) {
      const { headers, statusCode } = await send(caller, 'GET', url);
      expect(headers['cache-control'], `${path} ${statusCode}`).toMatch(/no-store|private/);
    }
  }
});

test('answers to changes, errors and what is no page are not stored either', async () => {
  const { visitor, send } = strangers;
  const answers = [
    await send(visitor, 'PATCH', '/api/auth/user/preferences', { emailUpdates: true }),
    await send(visitor, 'PATCH', '/api/auth/user/preferences', { emailUpdates: 7 }),
    await send(null, 'GET', '/api/none'),
    await send(null, 'GET', '/api/%ff'),
  ];
  for (const { headers, statusCode } of answers)
    expect(headers['cache-control'], `${statusCode}`).toBe('no-store');
});
