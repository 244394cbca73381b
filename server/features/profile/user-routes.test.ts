import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  insertCarModel,
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUser,
  insertUserCar,
} from '#server/testing/builders.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp({ settings: { adminEmails: ['boss@pitboard.example'] } });
});
afterAll(() => testApp.close());

const db = () => testApp.database.db;
const get = (url: string, headers: object) => testApp.app.inject({ url, headers: { ...headers } });
const change = (payload: object, headers: object) =>
  testApp.app.inject({
    method: 'PATCH',
    url: '/api/auth/user/preferences',
    headers: { ...headers },
    payload,
  });

test('who is signed in sees all of their own profile', async () => {
  const { userId, headers } = await insertSignedIn(db(), {
    firstName: 'Ana',
    lastName: 'Li',
    email: 'ana@example.org',
  });
  expect((await get('/api/auth/user', headers)).json()).toEqual({
    id: userId,
    firstName: 'Ana',
    lastName: 'Li',
    displayName: null,
    email: 'ana@example.org',
    profileImageUrl: null,
    emailUpdates: false,
    keepLinesPrivate: false,
    isAdmin: false,
    role: 'member',
  });
});

async function isAdmin(given: object): Promise<boolean> {
  const { headers } = await insertSignedIn(db(), given);
  return (await get('/api/auth/user', headers)).json().isAdmin;
}

test('an address on the list administers only when the provider has verified it', async () => {
  expect(await isAdmin({ email: 'Boss@pitboard.example', emailVerified: true })).toBe(true);
  expect(await isAdmin({ email: 'boss@pitboard.example', emailVerified: false })).toBe(false);
  expect(await isAdmin({ email: 'other@pitboard.example', emailVerified: true })).toBe(false);
  expect(await isAdmin({ isAdmin: true })).toBe(true);
});

test('a change of preferences changes what is given, and the name on the boards at once', async () => {
  const { userId, headers } = await insertSignedIn(db());
  const trackId = await insertTrack(db());
  await insertSession(db(), { trackId, userId, laps: [{ lapTimeMs: 60_000 }] });

  expect((await change({ displayName: '  Late Braker ', emailUpdates: true }, headers)).json()).toMatchObject(
    {
      displayName: 'Late Braker',
      emailUpdates: true,
    },
  );
  expect((await change({ emailUpdates: false }, headers)).json()).toMatchObject({
    displayName: 'Late Braker',
    emailUpdates: false,
  });
  expect((await change({}, headers)).statusCode).toBe(200);
  const [record] = (await get(`/api/laps/track/${trackId}/best`, {})).json();
  expect(record.userName).toBe('Late Braker');
});

test('a display name can be taken back, and the full name is on the boards again', async () => {
  const names = { firstName: 'Ana', lastName: 'Li', fullName: 'Ana Li', displayName: 'Late Braker' };
  const { userId, headers } = await insertSignedIn(db(), names);
  const trackId = await insertTrack(db());
  await insertSession(db(), { trackId, userId, laps: [{ lapTimeMs: 60_000 }] });
  expect((await change({ displayName: null, emailUpdates: true }, headers)).json()).toMatchObject({
    displayName: null,
    emailUpdates: true,
  });
  const [record] = (await get(`/api/laps/track/${trackId}/best`, {})).json();
  expect(record.userName).toBe('Ana Li');
});

test.each([[{ displayName: ' ' }], [{ displayName: 'x'.repeat(81) }], [{ emailUpdates: 'yes' }]])(
  'preferences such as %j are refused and change nothing',
  async (payload) => {
    const { headers } = await insertSignedIn(db(), { displayName: 'Before' });
    const response = await change(payload, headers);
    expect(response.statusCode).toBe(400);
    expect(Object.keys(response.json().fields)).toEqual(Object.keys(payload));
    expect((await get('/api/auth/user', headers)).json().displayName).toBe('Before');
  },
);

test('of other drivers everybody sees the name and the user name, never the address', async () => {
  const { headers } = await insertSignedIn(db());
  const names = { firstName: 'Cleo', lastName: 'Marsh', displayName: 'Cleo/M', fullName: 'Cleo Marsh' };
  const id = await insertUser(db(), { ...names, email: 'cleo.m@example.org' });
  const expected = {
    id,
    firstName: 'Cleo',
    lastName: 'Marsh',
    displayName: 'Cleo/M',
    username: 'cleo.m',
    profileImageUrl: null,
  };
  for (const idOrName of [id, 'Cleo/M', 'Cleo Marsh']) {
    expect((await get(`/api/users/${encodeURIComponent(idOrName)}`, headers)).json()).toEqual(expected);
  }
  const unaddressed = await insertUser(db(), { firstName: 'Zoë', lastName: 'Faber', email: null });
  expect((await get(`/api/users/${unaddressed}`, headers)).json().username).toBe('zoe.faber');
  expect((await get('/api/users/Unknown%20Name', headers)).statusCode).toBe(404);
  expect((await get('/api/users/00000000-0000-4000-8000-000000000000', headers)).statusCode).toBe(404);
});

test('a profile is found by a display name too, and of two alike the one who came first', async () => {
  const { headers } = await insertSignedIn(db());
  const first = await insertUser(db(), { displayName: 'Twin' });
  await insertUser(db(), { displayName: 'Twin' });
  expect((await get('/api/users/Twin', headers)).json().id).toBe(first);
});

test("another driver's garage shows the cars that are in it", async () => {
  const { headers } = await insertSignedIn(db());
  const other = await insertUser(db());
  const carModelId = await insertCarModel(db(), { make: 'Lotus', modelKey: 'lotus-elise-s2' });
  const carId = await insertUserCar(db(), { userId: other, carModelId, nickname: 'Bee' });
  await insertUserCar(db(), { userId: other, carModelId, retiredAt: new Date() });
  expect((await get(`/api/users/${other}/cars`, headers)).json()).toMatchObject([
    { id: carId, make: 'Lotus', modelKey: 'lotus-elise-s2', nickname: 'Bee', photoUrl: null },
  ]);
  expect((await get('/api/users/00000000-0000-4000-8000-000000000000/cars', headers)).statusCode).toBe(404);
  expect((await get('/api/users/not-an-id/cars', headers)).statusCode).toBe(400);
});

test.each(['\u200b\u200b', 'Ana \u202eiL', 'Ana\nLi', 'a\u0000b', ' '])(
  'a display name that hides or turns text is refused (%#)',
  async (displayName) => {
    const { headers } = await insertSignedIn(db());
    const response = await change({ displayName }, headers);
    expect(response.statusCode).toBe(400);
    expect(Object.keys(response.json().fields)).toEqual(['displayName']);
  },
);

test('a display name does not take over the address of another profile', async () => {
  const real = await insertUser(db(), { firstName: 'Rosa', lastName: 'Quint', fullName: 'Rosa Quint' });
  const { headers } = await insertSignedIn(db());
  await change({ displayName: 'Rosa Quint' }, headers);
  expect((await get('/api/users/Rosa%20Quint', headers)).json().id).toBe(real);
});
