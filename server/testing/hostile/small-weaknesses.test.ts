import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { signInCookieName } from '#server/model/people/auth-cookie.ts';
import { countCall } from '#server/kernel/rate-limits/call-count-store.ts';
import { insertCarModel, insertSignedIn, insertUser, signIn } from '../builders.ts';
import { openBrowser } from '../browser.ts';
import { startClubProvider } from '../club-provider.ts';
import { createUpload, phonePhoto, putTo } from '../images.ts';
import { insertKartTrack, kartCsv, listKeptFiles, postForm } from '../kart-uploads.ts';
import { startTestApp, type TestApp } from '../test-app.ts';

// What attackers found that fits no other file: each of these was possible once.

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const db = () => testApp.database.db;
const send = (headers: object, method: 'PATCH' | 'POST' | 'DELETE', url: string, payload?: object) =>
  testApp.app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) });
const rename = (headers: object, displayName: string) =>
  send(headers, 'PATCH', '/api/auth/user/preferences', { displayName });

test('an offset that no whole number of the database holds is refused', async () => {
  const trackId = await insertKartTrack(db());
  for (const [offset, status] of [
    [2 ** 31, 400],
    [1e18, 400],
    [2 ** 31 - 1, 400],
    [1_000_000_000, 200],
  ]) {
    const url = `/api/laps/track/${trackId}/best?limit=1&offset=${offset}`;
    expect((await testApp.app.inject(url)).statusCode, url).toBe(status);
  }
});

test('a count whose window ends too late, because the clock was set back, begins again', async () => {
  const { pool } = testApp.database;
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
  const { headers } = await insertSignedIn(db());
  expect((await rename(headers, name)).statusCode).toBe(400);
});

test('a display name that looks like the name of any other driver is refused', async () => {
  await insertUser(db(), { firstName: 'Alice', lastName: 'Corpora', isAdmin: true });
  const ben = await insertSignedIn(db());
  expect((await rename(ben.headers, 'Ben the Quick')).statusCode).toBe(200);
  const { headers } = await insertSignedIn(db());
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
    const response = await rename(headers, name);
    expect(response.statusCode, name).toBe(409);
    expect(response.json().message).toContain('looks the same');
  }
  expect((await rename(headers, 'Ben the Slow')).statusCode).toBe(200);
  expect((await rename(ben.headers, 'Ben The Quick')).statusCode).toBe(200);
});

test('of two drivers who choose the same name at once, one gets it', async () => {
  const drivers = await Promise.all([insertSignedIn(db()), insertSignedIn(db())]);
  const answers = await Promise.all(drivers.map(({ headers }) => rename(headers, 'The Only One')));
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test('a garage takes so many cars and no more, also when they come at once', async () => {
  const { userId, headers } = await insertSignedIn(db());
  const modelKey = 'limit-model';
  const carModelId = await insertCarModel(db(), { modelKey });
  const before = LIMITS.carsPerGarageMax - 2;
  await testApp.database.pool.query(
    'INSERT INTO user_cars (user_id, car_model_id) SELECT $1, $2 FROM generate_series(1, $3)',
    [userId, carModelId, before],
  );
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => send(headers, 'POST', '/api/user-cars', { modelKey })),
  );
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(2);
  expect(answers.find(({ statusCode }) => statusCode === 409)?.json().message).toMatch(/at most/);
});

test('images that come at once do not pass the limit of those that wait', async () => {
  const { userId, headers } = await insertSignedIn(db());
  const photo = await phonePhoto();
  const addresses = [];
  for (let count = 0; count < 30; count++) addresses.push(await createUpload(testApp.app, headers));
  const statuses = await Promise.all(addresses.map((address) => putTo(testApp.app, address, photo)));
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  let kept = 0;
  for await (const _ of testApp.storage.list(`incoming/${userId}`)) kept++;
  expect(kept).toBeLessThanOrEqual(20);
});

test('an image that comes compressed is refused', async () => {
  const { headers } = await insertSignedIn(db());
  const { pathname } = new URL(await createUpload(testApp.app, headers));
  const response = await testApp.app.inject({
    method: 'PUT',
    url: pathname,
    headers: { 'content-type': 'image/jpeg', 'content-encoding': 'gzip' },
    payload: gzipSync(await phonePhoto()),
  });
  expect(response.statusCode).toBe(415);
});

test('the upload address of a removed account takes nothing', async () => {
  const { headers } = await insertSignedIn(db());
  const address = await createUpload(testApp.app, headers);
  expect((await send(headers, 'DELETE', '/api/account')).statusCode).toBe(200);
  expect(await putTo(testApp.app, address, await phonePhoto())).toBe(404);
});

test('an upload whose track is deleted meanwhile gets an error and leaves no file', async () => {
  const { headers } = await insertSignedIn(db());
  const trackId = await insertKartTrack(db());
  const before = await listKeptFiles(testApp.storage);
  const { put } = testApp.storage;
  testApp.storage.put = async (key, path) => {
    await put(key, path);
    await testApp.database.pool.query('DELETE FROM tracks WHERE id = $1', [trackId]);
  };
  try {
    const parts: Parameters<typeof postForm>[2] = [
      ['trackId', trackId],
      ['files', kartCsv()],
    ];
    const [result] = (await postForm(testApp.app, '/api/upload', parts, headers)).json().results;
    expect(result).toMatchObject({ success: false, error: expect.stringContaining('was removed') });
  } finally {
    testApp.storage.put = put;
  }
  expect(await listKeptFiles(testApp.storage)).toEqual(before);
});

async function askForAddress({ headers }: { headers: object }): Promise<number> {
  const { statusCode } = await testApp.app.inject({
    method: 'POST',
    url: '/api/objects/upload',
    headers: { ...headers },
    remoteAddress: '203.0.113.99',
  });
  return statusCode;
}

test('drivers behind one address do not use up each other’s calls', async () => {
  const [greedy, neighbour] = await Promise.all([insertSignedIn(db()), insertSignedIn(db())]);
  const statuses = new Set<number>();
  for (let count = 0; count < 200 && !statuses.has(429); count++) statuses.add(await askForAddress(greedy));
  expect(statuses).toEqual(new Set([200, 429]));
  expect(await askForAddress(neighbour)).toBe(200);
});

test('on https the cookie of a sign-in is bound to the host, and its plain name opens nothing', async () => {
  const publicUrl = 'https://laps.example';
  const club = await startClubProvider(`${publicUrl}/api/auth/callback`);
  const secure = await startTestApp({
    database: testApp.database,
    settings: { publicUrl, oidc: club.settings },
  });
  const name = signInCookieName(publicUrl);
  expect(name).toBe('__Host-pitboard_sign_in');
  const browser = openBrowser(secure.app, publicUrl);
  const back = await club.visit((await browser.open('/api/login')).path);
  await browser.open(back.slice(publicUrl.length));
  expect(browser.details.get(name)).toMatchObject({ path: '/', secure: true, httpOnly: true });
  expect(browser.details.get(name)).not.toHaveProperty('domain');
  const who = async (cookie: string) =>
    (await secure.app.inject({ url: '/api/auth/user', headers: { cookie } })).statusCode;
  const token = browser.cookies.get(name) ?? '';
  expect(await who(`${name}=${token}`)).toBe(200);
  expect(await who(`pitboard_sign_in=${token}`)).toBe(401);
  const local = await signIn(db(), await insertUser(db(), { issuer: club.settings.issuer }));
  expect(await who(local.cookie)).toBe(401);
  await secure.close();
  await club.close();
});
