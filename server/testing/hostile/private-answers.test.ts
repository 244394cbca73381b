import { beforeAll, expect, test } from 'vitest';
import { ENDPOINTS } from '#contract/api.ts';
import { insertStrangers, type Strangers } from '../strangers.ts';
import { useTestApp } from '../test-app.ts';

const app = useTestApp();
let strangers: Strangers;

beforeAll(async () => {
  strangers = await insertStrangers(app);
});

// These answers are the same for everybody, so proxies may store them.
const PUBLIC = new Set([
  '/api/images/:key',
  '/api/tracks/:trackId/preview.png',
  '/api/users/:idOrName/preview.png',
  '/api/live/:code/preview.png',
  '/api/tracks/:trackId/laps/:lapId/preview.png',
]);

test('no proxy may store what anybody is answered, unless it is meant for all', async () => {
  const { administrator, trackId } = strangers;
  const read = ENDPOINTS.filter(({ method, path }) => method === 'GET' && !PUBLIC.has(path));
  expect(read.length).toBeGreaterThan(20);
  for (const { path } of read) {
    const url = path.replace(':trackId', trackId).replaceAll(/:\w+/g, administrator.userId);
    for (const caller of [administrator, null]) {
      const { headers, statusCode } = await app.as(caller).get(url);
      expect(headers['cache-control'], `${path} ${statusCode}`).toMatch(/no-store|private/);
    }
  }
});

test('answers to changes, errors and what is no page are not stored either', async () => {
  const { visitor } = strangers;
  const answers = [
    await app.as(visitor).patch('/api/auth/user/preferences', { emailUpdates: true }),
    await app.as(visitor).patch('/api/auth/user/preferences', { emailUpdates: 7 }),
    await app.asGuest().get('/api/none'),
    await app.asGuest().get('/api/%ff'),
  ];
  for (const { headers, statusCode } of answers)
    expect(headers['cache-control'], `${statusCode}`).toBe('no-store');
});
