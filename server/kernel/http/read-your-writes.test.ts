import { expect, test } from 'vitest';
import { insertSession, insertSignedIn, insertTrack } from '#server/testing/builders.ts';
import { type TestApp, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
const second = useTestApp(() => ({ database: app.database }));

test('a change that is answered is on the board of every copy of the server, whatever they have cached', async () => {
  const { db } = app.database;
  const trackId = await insertTrack(db);
  const driver = await insertSignedIn(db, { displayName: 'Ann' });
  await insertSession(db, { trackId, userId: driver.userId, laps: [{ lapTimeMs: 60_000 }] });
  const nameOn = async (copy: TestApp) =>
    (await copy.asGuest().get(`/api/laps/track/${trackId}/best`)).json()[0].userName;
  for (const displayName of ['Ann Park', 'Ann Lee', 'Ann Moreau']) {
    expect(await nameOn(app)).toBe(await nameOn(second));
    const change = await app.as(driver).patch('/api/auth/user/preferences', { displayName });
    expect(change.statusCode).toBe(200);
    expect(await Promise.all([nameOn(app), nameOn(second)])).toEqual([displayName, displayName]);
  }
});

test('a change shows in every call after its answer, while many others ask for the same board', async () => {
  const { db } = app.database;
  const trackId = await insertTrack(db);
  const driver = await insertSignedIn(db, { displayName: 'Name 0' });
  await insertSession(db, { trackId, userId: driver.userId, laps: [{ lapTimeMs: 60_000 }] });
  const url = `/api/laps/track/${trackId}/best`;
  const renaming = new AbortController();
  const others = Array.from({ length: 8 }, async () => {
    while (!renaming.signal.aborted) expect((await second.asGuest().get(url)).statusCode).toBe(200);
  });
  for (let round = 1; round <= 10; round++) {
    const displayName = `Name ${round}`;
    await app.as(driver).patch('/api/auth/user/preferences', { displayName });
    expect((await second.asGuest().get(url)).json()[0].userName).toBe(displayName);
  }
  renaming.abort();
  await Promise.all(others);
});
