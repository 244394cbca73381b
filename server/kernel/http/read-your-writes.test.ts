import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertSession, insertSignedIn, insertTrack } from '#server/testing/builders.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

// Longer than everything that the test does between two calls, even on a busy machine: whoever does not wait for it is seen.
const BOARD_LEASE_MS = 2_000;

let first: TestApp;
let second: TestApp;

beforeAll(async () => {
  first = await startTestApp({ boardLeaseMs: BOARD_LEASE_MS });
  second = await startTestApp({ boardLeaseMs: BOARD_LEASE_MS, database: first.database });
});
afterAll(async () => {
  await second.close();
  await first.close();
});

test('a change that is answered is on the board of every copy of the server, which all use what they read a moment ago', async () => {
  const { db } = first.database;
  const trackId = await insertTrack(db);
  const { userId, headers } = await insertSignedIn(db, { displayName: 'Ann' });
  await insertSession(db, { trackId, userId, laps: [{ lapTimeMs: 60_000 }] });
  const nameOn = async ({ app }: TestApp) =>
    (await app.inject(`/api/laps/track/${trackId}/best`)).json()[0].userName;
  expect([await nameOn(first), await nameOn(second)]).toEqual(['Ann', 'Ann']);

  const change = first.app.inject({
    method: 'PATCH',
    url: '/api/auth/user/preferences',
    headers,
    payload: { displayName: 'Ann Park' },
  });
  expect((await change).statusCode).toBe(200);
  expect([await nameOn(first), await nameOn(second)]).toEqual(['Ann Park', 'Ann Park']);
});
