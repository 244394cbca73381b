import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertSession, insertSignedIn, insertTrack } from '#server/testing/builders.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

let first: TestApp;
let second: TestApp;

beforeAll(async () => {
  first = await startTestApp();
  second = await startTestApp({ database: first.database });
});
afterAll(async () => {
  await second.close();
  await first.close();
});

test('a change that is answered is on the board of every copy of the server, whatever they have cached', async () => {
  const { db } = first.database;
  const trackId = await insertTrack(db);
  const { userId, headers } = await insertSignedIn(db, { displayName: 'Ann' });
  await insertSession(db, { trackId, userId, laps: [{ lapTimeMs: 60_000 }] });
  const nameOn = async ({ app }: TestApp) =>
    (await app.inject(`/api/laps/track/${trackId}/best`)).json()[0].userName;
  for (const displayName of ['Ann Park', 'Ann Lee', 'Ann Moreau']) {
    expect(await nameOn(first)).toBe(await nameOn(second));
    const change = await first.app.inject({
      method: 'PATCH',
      url: '/api/auth/user/preferences',
      headers,
      payload: { displayName },
    });
    expect(change.statusCode).toBe(200);
    expect(await Promise.all([nameOn(first), nameOn(second)])).toEqual([displayName, displayName]);
  }
});

test('a change shows in every call after its answer, while many others ask for the same board', async () => {
  const { db } = first.database;
  const trackId = await insertTrack(db);
  const { userId, headers } = await insertSignedIn(db, { displayName: 'Name 0' });
  await insertSession(db, { trackId, userId, laps: [{ lapTimeMs: 60_000 }] });
  const url = `/api/laps/track/${trackId}/best`;
  const renaming = new AbortController();
  const others = Array.from({ length: 8 }, async () => {
    while (!renaming.signal.aborted) expect((await second.app.inject(url)).statusCode).toBe(200);
  });
  for (let round = 1; round <= 10; round++) {
    const displayName = `Name ${round}`;
    const payload = { displayName };
    await first.app.inject({ method: 'PATCH', url: '/api/auth/user/preferences', headers, payload });
    expect((await second.app.inject(url)).json()[0].userName).toBe(displayName);
  }
  renaming.abort();
  await Promise.all(others);
});
