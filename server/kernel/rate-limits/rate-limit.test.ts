import { expect, test } from 'vitest';
import { type TestApp, useTestApp } from '#server/testing/test-app.ts';
import { countCall, deleteOldCallCounts } from './call-count-store.ts';

const app = useTestApp();
const second = useTestApp(() => ({ database: app.database }));

test('copies of the server count the calls of an address together', async () => {
  const { headers } = await search(app, '203.0.113.7');
  const limit = Number(headers['x-ratelimit-limit']);
  expect(headers['x-ratelimit-remaining']).toBe(String(limit - 1));
  for (let call = 2; call < limit; call += 1) {
    expect((await search(call % 2 === 0 ? second : app, '203.0.113.7')).statusCode).toBe(200);
  }
  const [last, refused] = [await search(second, '203.0.113.7'), await search(app, '203.0.113.7')];
  expect([last.statusCode, refused.statusCode]).toEqual([200, 429]);
  expect(refused.json()).toMatchObject({ error: 'too_many_requests' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await search(app, '203.0.113.8')).statusCode).toBe(200);
});

test('calls at the same moment are all counted', async () => {
  const { pool } = app.database;
  const counts = await Promise.all(Array.from({ length: 40 }, () => countCall(pool, 'at once', 60_000)));
  expect(counts.map(({ calls }) => calls).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 40 }, (_, index) => index + 1),
  );
});

test('a window that is over starts again, and is removed', async () => {
  const { pool } = app.database;
  await countCall(pool, 'short', 0);
  expect((await countCall(pool, 'short', 0)).calls).toBe(1);
  expect(await deleteOldCallCounts(pool)).toBe(1);
  expect((await countCall(pool, 'at once', 60_000)).calls).toBe(41);
});

function search(copy: TestApp, remoteAddress: string) {
  return copy.as({ remoteAddress }).get('/api/car-library/search?q=mx');
}
