import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { signInCookieName } from '#server/model/people/auth-cookie.ts';
import { countCall } from '#server/kernel/rate-limits/call-count-store.ts';
import { insertCarModel, insertSignedIn, insertUser, signIn, type SignedIn } from '../builders.ts';
import { openBrowser } from '../browser.ts';
import { startClubProvider } from '../club-provider.ts';
import { createUpload, phonePhoto, putTo } from '../images.ts';
import { insertKartTrack, kartCsv, listKeptFiles } from '../kart-uploads.ts';
import { type Person, startTestApp, useTestApp } from '../test-app.ts';
import { listKeys } from '../test-storage.ts';
import { leave, passSevenDays } from '../leave.ts';

// Every attack in this file was possible once.

const app = useTestApp();
const guest = app.asGuest();

const rename = (who: Person, displayName: string) =>
  app.as(who).patch('/api/auth/user/preferences', { displayName });

test('an offset that no whole number of the database holds is refused', async () => {
  const trackId = await insertKartTrack(app.db);
  for (const [offset, status] of [
    [2 ** 31, 400],
    [1e18, 400],
    [2 ** 31 - 1, 400],
    [1_000_000_000, 200],
  ]) {
    const url = `/api/laps/track/${trackId}/best?limit=1&offset=${offset}`;
    expect((await guest.get(url)).statusCode, url).toBe(status);
  }
});

test('a count whose window ends too late, because the clock was set back, begins again', async () => {
  const { pool } = app.database;
  await countCall(pool, 'set back', 60_000);
  await pool.query(
    "UPDATE call_counts SET calls = 999, ends_at = now() + interval '3 days' WHERE key = 'set back'",
  );
  const { calls, msLeft } = await countCall(pool, 'set back', 60_000);
  expect(calls).toBe(1);
  expect(msLeft).toBeLessThanOrEqual(60_000);
});

test.each([
  ['fillers of Hangul', '\u3164\u3164'],
  ['the empty Braille cell', '\u2800'],
  ['an override of the direction', 'Ana \u202eiL'],
  ['a mark of the direction', 'Ana\u200f Li'],
])('a display name of %s is refused', async (_what, name) => {
  const driver = await insertSignedIn(app.db);
  expect((await rename(driver, name)).statusCode).toBe(400);
});

test('a display name that looks like the name of any other driver is refused', async () => {
  await insertUser(app.db, { firstName: 'Alice', lastName: 'Corpora', isAdmin: true });
  const ben = await insertSignedIn(app.db);
  expect((await rename(ben, 'Ben the Quick')).statusCode).toBe(200);
  const driver = await insertSignedIn(app.db);
  for (const name of [
    'Alice Corpora',
    'alice corpora',
    'Аlice Соrрога', // Cyrillic
    'AIice Corpora', // a capital I
    'Ａｌｉｃｅ Ｃｏｒｐｏｒａ', // full width
    'Al\u200dice Corpora',
    'BEN THE QUICK',
    'Ben  the Quick',
    '𝐁𝐞𝐧 𝐭𝐡𝐞 𝐐𝐮𝐢𝐜𝐤', // bold letters of mathematics
  ]) {
    const response = await rename(driver, name);
    expect(response.statusCode, name).toBe(409);
    expect(response.json().message).toContain('looks the same');
  }
  expect((await rename(driver, 'Ben the Slow')).statusCode).toBe(200);
  expect((await rename(ben, 'Ben The Quick')).statusCode).toBe(200);
});

test('one of two drivers who choose the same name at once gets it', async () => {
  const drivers = await Promise.all([insertSignedIn(app.db), insertSignedIn(app.db)]);
  const answers = await Promise.all(drivers.map(({ headers }) => rename({ headers }, 'The Only One')));
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test('a garage takes so many cars and no more, also when they come at once', async () => {
  const driver = await insertSignedIn(app.db);
  const modelKey = 'limit-model';
  const carModelId = await insertCarModel(app.db, { modelKey });
  const before = LIMITS.carsPerGarageMax - 2;
  await app.database.pool.query(
    'INSERT INTO user_cars (user_id, car_model_id) SELECT $1, $2 FROM generate_series(1, $3)',
    [driver.userId, carModelId, before],
  );
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => app.as(driver).post('/api/user-cars', { modelKey })),
  );
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(2);
  expect(answers.find(({ statusCode }) => statusCode === 409)?.json().message).toMatch(/at most/);
});

test('images that come at once do not pass the limit of those that wait', async () => {
  const driver = await insertSignedIn(app.db);
  const photo = await phonePhoto();
  const addresses = [];
  for (let count = 0; count < 30; count++) addresses.push(await createUpload(app.as(driver)));
  const statuses = await Promise.all(addresses.map((address) => putTo(guest, address, photo)));
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(await listKeys(app.storage, `incoming/${driver.userId}`)).toHaveLength(20);
});

test('an image that comes compressed is refused', async () => {
  const driver = await insertSignedIn(app.db);
  const { pathname } = new URL(await createUpload(app.as(driver)));
  const response = await guest.put(pathname, gzipSync(await phonePhoto()), {
    'content-type': 'image/jpeg',
    'content-encoding': 'gzip',
  });
  expect(response.statusCode).toBe(415);
});

test('the upload URL of a removed account takes nothing', async () => {
  const driver = await insertSignedIn(app.db);
  const address = await createUpload(app.as(driver));
  await leave(app, driver);
  expect(await putTo(guest, address, await phonePhoto())).toBe(404);
  await passSevenDays(app);
  expect(await putTo(guest, address, await phonePhoto())).toBe(404);
});

test('an upload whose track is deleted meanwhile gets an error and leaves no file', async () => {
  const driver = await insertSignedIn(app.db);
  const trackId = await insertKartTrack(app.db);
  const before = await listKeptFiles(app.storage);
  const { put } = app.storage;
  app.storage.put = async (key, path) => {
    await put(key, path);
    await app.database.pool.query('DELETE FROM tracks WHERE id = $1', [trackId]);
  };
  try {
    const [result] = (await app.as(driver).uploadLaps(trackId, kartCsv())).json().results;
    expect(result).toMatchObject({ success: false, error: expect.stringContaining('was removed') });
  } finally {
    app.storage.put = put;
  }
  expect(await listKeptFiles(app.storage)).toEqual(before);
});

async function askForAddress({ headers }: SignedIn): Promise<number> {
  const client = app.as({ headers, remoteAddress: '203.0.113.99' });
  return (await client.post('/api/objects/upload')).statusCode;
}

test('drivers behind one address do not use up each other’s calls', async () => {
  const [greedy, neighbour] = await Promise.all([insertSignedIn(app.db), insertSignedIn(app.db)]);
  const statuses = new Set<number>();
  for (let count = 0; count < 200 && !statuses.has(429); count++) statuses.add(await askForAddress(greedy));
  expect(statuses).toEqual(new Set([200, 429]));
  expect(await askForAddress(neighbour)).toBe(200);
});

test('on https the cookie of a sign-in is bound to the host, and its plain name opens nothing', async () => {
  const publicUrl = 'https://laps.example';
  const club = await startClubProvider(`${publicUrl}/api/auth/callback`);
  const secure = await startTestApp({
    database: app.database,
    settings: { publicUrl, oidc: club.settings },
  });
  const name = signInCookieName(publicUrl);
  expect(name).toBe('__Host-pitboard_sign_in');
  const browser = openBrowser(secure.fastify, publicUrl);
  const back = await club.visit((await browser.open('/api/login')).path);
  await browser.open(back.slice(publicUrl.length));
  expect(browser.details.get(name)).toMatchObject({ path: '/', secure: true, httpOnly: true });
  expect(browser.details.get(name)).not.toHaveProperty('domain');
  const who = async (cookie: string) => (await secure.asGuest().get('/api/auth/user', { cookie })).statusCode;
  const token = browser.cookies.get(name) ?? '';
  expect(await who(`${name}=${token}`)).toBe(200);
  expect(await who(`pitboard_sign_in=${token}`)).toBe(401);
  const local = await signIn(app.db, await insertUser(app.db, { issuer: club.settings.issuer }));
  expect(await who(local.cookie)).toBe(401);

  await club.close();
});
