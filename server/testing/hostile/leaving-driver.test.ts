import { beforeAll, expect, test } from 'vitest';
import { ageSignIns, insertApiToken, insertSignedIn, signIn, type SignedIn } from '../builders.ts';
import { insertKartTrack, kartCsv } from '../kart-uploads.ts';
import { leave, passSevenDays } from '../leave.ts';
import { useTestApp } from '../test-app.ts';
import { DAY_MS } from '#engine/durations.ts';

// Only the owner deletes an account, only the owner brings it back, and in between it opens nothing.

const app = useTestApp();
const guest = app.asGuest();
let admin: SignedIn;

beforeAll(async () => {
  admin = await insertSignedIn(app.db, { isAdmin: true });
});

test('only the owner of an account deletes and keeps it, after typing the name', async () => {
  const driver = await insertSignedIn(app.db, { displayName: 'Careful Carla' });
  const remove = async (who: SignedIn | null, body?: object) =>
    await app.as(who).send('DELETE', '/api/account', body);
  expect((await remove(null, { name: 'Careful Carla' })).statusCode).toBe(401);
  expect((await remove(driver)).statusCode).toBe(400);
  for (const name of ['', 'careful carla', 'Test Driver 1']) {
    const refused = await remove(driver, { name });
    expect(refused.statusCode).toBe(400);
    expect(refused.json().fields).toHaveProperty('name');
  }
  await ageSignIns(app.db, driver.userId);
  expect((await remove(driver, { name: 'Careful Carla' })).json().error).toBe('confirmation_needed');
  expect((await guest.delete('/api/account/deletion')).statusCode).toBe(401);
  const token = await insertApiToken(app.db, driver.userId, ['read', 'upload']);
  expect((await app.as(token).send('DELETE', '/api/account', { name: 'Careful Carla' })).statusCode).toBe(
    403,
  );
  expect((await app.as(token).delete('/api/account/deletion')).statusCode).toBe(403);
  const elsewhere = { ...driver.headers, origin: 'https://elsewhere.example' };
  const crossSite = await app
    .as({ headers: elsewhere })
    .send('DELETE', '/api/account', { name: 'Careful Carla' });
  expect(crossSite.statusCode).toBe(403);
  expect((await app.as(driver).get('/api/auth/user')).json()).toMatchObject({ deletionDueAt: null });
});

test('a driver who leaves can do nothing but keep the account, export it and sign out', async () => {
  const driver = await insertSignedIn(app.db, { displayName: 'Leaving Leo', isAdmin: true });
  const phone = { userId: driver.userId, headers: await signIn(app.db, driver.userId) };
  const token = await insertApiToken(app.db, driver.userId, ['read', 'upload']);
  const { deletionDueAt } = (await leave(app, driver)).json();
  expect(Date.parse(deletionDueAt) - Date.now()).toBeGreaterThan(6.9 * DAY_MS);
  // A repeated call neither fails nor prolongs anything.
  expect((await leave(app, driver)).json()).toEqual({ deletionDueAt });
  expect((await app.as(driver).get('/api/auth/user')).json()).toMatchObject({ deletionDueAt });
  // All other devices are signed out, and programs are refused.
  expect((await app.as(phone).get('/api/auth/user')).statusCode).toBe(401);
  expect((await app.as(token).get('/api/user-cars')).statusCode).toBe(401);
  for (const url of ['/api/user-cars', '/api/notices', '/api/admin/people']) {
    const refused = await app.as(driver).get(url);
    expect(refused.statusCode, url).toBe(403);
    expect(refused.json().error, url).toBe('account_leaving');
  }
  const trackId = await insertKartTrack(app.db);
  expect((await app.as(driver).uploadLaps(trackId, kartCsv())).statusCode).toBe(403);
  for (const url of ['/api/account/export', '/api/account/credentials'])
    expect((await app.as(driver).get(url)).statusCode, url).toBe(200);
  // A later sign-in finds the same.
  const again = { userId: driver.userId, headers: await signIn(app.db, driver.userId) };
  expect((await app.as(again).get('/api/auth/user')).json()).toMatchObject({ deletionDueAt });
  expect((await app.as(again).delete('/api/account/deletion')).statusCode).toBe(200);
  expect((await app.as(again).delete('/api/account/deletion')).statusCode).toBe(200);
  expect((await app.as(again).get('/api/user-cars')).statusCode).toBe(200);
  expect((await app.as(token).get('/api/user-cars')).statusCode).toBe(200);
  await passSevenDays(app);
  expect((await app.as(again).get('/api/auth/user')).json()).toMatchObject({ deletionDueAt: null });
});

test('an administrator removes a person at once, without a way back', async () => {
  const driver = await insertSignedIn(app.db, { displayName: 'Removed Rita' });
  expect((await leave(app, driver)).statusCode).toBe(200);
  const url = `/api/admin/people/${driver.userId}`;
  const moderator = await insertSignedIn(app.db, { role: 'moderator' });
  expect((await guest.delete(url)).statusCode).toBe(401);
  expect((await app.as(moderator).delete(url)).statusCode).toBe(403);
  expect((await app.as(admin).delete(url)).statusCode).toBe(200);
  expect((await app.as(driver).delete('/api/account/deletion')).statusCode).toBe(401);
  expect((await app.as(admin).delete(url)).statusCode).toBe(404);
});

test('of two owners who leave at once one stays', async () => {
  const owners = await Promise.all([
    insertSignedIn(app.db, { role: 'owner', displayName: 'Owner One' }),
    insertSignedIn(app.db, { role: 'owner', displayName: 'Owner Two' }),
  ]);
  const answers = await Promise.all(owners.map((owner) => leave(app, owner)));
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
});
