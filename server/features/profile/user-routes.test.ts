import { expect, test } from 'vitest';
import {
  insertCarModel,
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUser,
  insertUserCar,
} from '#server/testing/builders.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp({ settings: { adminEmails: ['boss@pitboard.example'] } });
const guest = app.asGuest();

const change = (payload: object, who: Person) => app.as(who).patch('/api/auth/user/preferences', payload);

test('signed-in drivers see all of their own profile', async () => {
  const driver = await insertSignedIn(app.db, {
    firstName: 'Ana',
    lastName: 'Li',
    email: 'ana@example.org',
  });
  expect((await app.as(driver).get('/api/auth/user')).json()).toEqual({
    id: driver.userId,
    firstName: 'Ana',
    lastName: 'Li',
    displayName: null,
    email: 'ana@example.org',
    profileImageUrl: null,
    emailUpdates: false,
    keepLinesPrivate: false,
    units: null,
    dates: null,
    username: null,
    deletionDueAt: null,
    isAdmin: false,
    role: 'member',
  });
});

async function isAdmin(given: object): Promise<boolean> {
  const driver = await insertSignedIn(app.db, given);
  return (await app.as(driver).get('/api/auth/user')).json().isAdmin;
}

test('a mail address on the list administers only when the provider has verified it', async () => {
  expect(await isAdmin({ email: 'Boss@pitboard.example', emailVerified: true })).toBe(true);
  expect(await isAdmin({ email: 'boss@pitboard.example', emailVerified: false })).toBe(false);
  expect(await isAdmin({ email: 'other@pitboard.example', emailVerified: true })).toBe(false);
  expect(await isAdmin({ isAdmin: true })).toBe(true);
});

test('a change of preferences changes what is given, and the name on the boards at once', async () => {
  const driver = await insertSignedIn(app.db);
  const trackId = await insertTrack(app.db);
  await insertSession(app.db, { trackId, userId: driver.userId, laps: [{ lapTimeMs: 60_000 }] });

  expect((await change({ displayName: '  Late Braker ', emailUpdates: true }, driver)).json()).toMatchObject({
    displayName: 'Late Braker',
    emailUpdates: true,
  });
  expect((await change({ emailUpdates: false }, driver)).json()).toMatchObject({
    displayName: 'Late Braker',
    emailUpdates: false,
  });
  expect((await change({}, driver)).statusCode).toBe(200);
  const [record] = (await guest.get(`/api/laps/track/${trackId}/best`)).json();
  expect(record.userName).toBe('Late Braker');
});

test('a display name can be taken back, and the full name is on the boards again', async () => {
  const names = { firstName: 'Ana', lastName: 'Li', fullName: 'Ana Li', displayName: 'Late Braker' };
  const driver = await insertSignedIn(app.db, names);
  const trackId = await insertTrack(app.db);
  await insertSession(app.db, { trackId, userId: driver.userId, laps: [{ lapTimeMs: 60_000 }] });
  expect((await change({ displayName: null, emailUpdates: true }, driver)).json()).toMatchObject({
    displayName: null,
    emailUpdates: true,
  });
  const [record] = (await guest.get(`/api/laps/track/${trackId}/best`)).json();
  expect(record.userName).toBe('Ana Li');
});

test('units and the form of dates are chosen each for itself, and given back to the browser', async () => {
  const driver = await insertSignedIn(app.db);
  const chosen = { units: 'american', dates: 'DD.MM.YYYY HH:mm' };
  expect((await change({ units: 'american' }, driver)).json()).toMatchObject({
    units: 'american',
    dates: null,
  });
  expect((await change({ dates: chosen.dates }, driver)).json()).toMatchObject(chosen);
  expect((await app.as(driver).get('/api/auth/user')).json()).toMatchObject(chosen);
  expect((await change({ units: null }, driver)).json()).toMatchObject({ ...chosen, units: null });
});

test('a guest has no account to keep a choice, and another site cannot change it', async () => {
  expect((await guest.patch('/api/auth/user/preferences', { units: 'british' })).statusCode).toBe(401);
  const driver = await insertSignedIn(app.db);
  const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  const response = await app.as(driver).patch('/api/auth/user/preferences', { units: 'british' }, foreign);
  expect(response.statusCode).toBe(403);
  expect((await app.as(driver).get('/api/auth/user')).json().units).toBeNull();
});

test.each([
  [{ displayName: ' ' }],
  [{ displayName: 'x'.repeat(81) }],
  [{ emailUpdates: 'yes' }],
  [{ units: 'nautical' }],
  [{ units: '' }],
  [{ dates: 'MM/DD' }],
  [{ dates: 7 }],
])('preferences such as %j are refused and change nothing', async (payload) => {
  const driver = await insertSignedIn(app.db, { displayName: 'Before' });
  const response = await change(payload, driver);
  expect(response.statusCode).toBe(400);
  expect(Object.keys(response.json().fields)).toEqual(Object.keys(payload));
  expect((await app.as(driver).get('/api/auth/user')).json().displayName).toBe('Before');
});

test('everybody sees the names of other drivers, never their e-mail address', async () => {
  const driver = await insertSignedIn(app.db);
  const names = { firstName: 'Cleo', lastName: 'Marsh', displayName: 'Cleo/M', fullName: 'Cleo Marsh' };
  const id = await insertUser(app.db, { ...names, email: 'cleo.m@example.org' });
  const expected = {
    id,
    firstName: 'Cleo',
    lastName: 'Marsh',
    displayName: 'Cleo/M',
    username: 'cleo.m',
    profileImageUrl: null,
  };
  for (const idOrName of [id, 'Cleo/M', 'Cleo Marsh']) {
    expect((await app.as(driver).get(`/api/users/${encodeURIComponent(idOrName)}`)).json()).toEqual(expected);
  }
  const unaddressed = await insertUser(app.db, { firstName: 'Zoë', lastName: 'Faber', email: null });
  expect((await app.as(driver).get(`/api/users/${unaddressed}`)).json().username).toBe('zoe.faber');
  expect((await app.as(driver).get('/api/users/Unknown%20Name')).statusCode).toBe(404);
  expect((await app.as(driver).get('/api/users/00000000-0000-4000-8000-000000000000')).statusCode).toBe(404);
});

test('a profile is found by a display name too, and of two alike the one who came first', async () => {
  const driver = await insertSignedIn(app.db);
  const first = await insertUser(app.db, { displayName: 'Twin' });
  await insertUser(app.db, { displayName: 'Twin' });
  expect((await app.as(driver).get('/api/users/Twin')).json().id).toBe(first);
});

test("another driver's garage shows the cars that are in it", async () => {
  const driver = await insertSignedIn(app.db);
  const other = await insertUser(app.db);
  const carModelId = await insertCarModel(app.db, { make: 'Lotus', modelKey: 'lotus-elise-s2' });
  const carId = await insertUserCar(app.db, { userId: other, carModelId, nickname: 'Bee' });
  await insertUserCar(app.db, { userId: other, carModelId, retiredAt: new Date() });
  expect((await app.as(driver).get(`/api/users/${other}/cars`)).json()).toMatchObject([
    { id: carId, make: 'Lotus', modelKey: 'lotus-elise-s2', nickname: 'Bee', photoUrl: null },
  ]);
  expect((await app.as(driver).get('/api/users/00000000-0000-4000-8000-000000000000/cars')).statusCode).toBe(
    404,
  );
  expect((await app.as(driver).get('/api/users/not-an-id/cars')).statusCode).toBe(400);
});

test.each(['\u200b\u200b', 'Ana \u202eiL', 'Ana\nLi', 'a\u0000b', ' '])(
  'a display name that hides or turns text is refused (%#)',
  async (displayName) => {
    const driver = await insertSignedIn(app.db);
    const response = await change({ displayName }, driver);
    expect(response.statusCode).toBe(400);
    expect(Object.keys(response.json().fields)).toEqual(['displayName']);
  },
);

test('a display name does not take over the URL of another profile', async () => {
  const real = await insertUser(app.db, { firstName: 'Rosa', lastName: 'Quint', fullName: 'Rosa Quint' });
  const driver = await insertSignedIn(app.db);
  await change({ displayName: 'Rosa Quint' }, driver);
  expect((await app.as(driver).get('/api/users/Rosa%20Quint')).json().id).toBe(real);
});
