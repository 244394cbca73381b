import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertSession, insertSignedIn, insertTrack, insertUserCar } from '#server/testing/builders.ts';
import { phonePhoto, sendImage } from '#server/testing/images.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const db = () => testApp.database.db;
const get = (url: string, headers: object = {}) => testApp.app.inject({ url, headers: { ...headers } });
const call = (method: 'PUT' | 'DELETE', url: string, headers: object, payload?: object) =>
  testApp.app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) });

test('a driver removes their picture: none shows, and the file is gone', async () => {
  const { userId, headers } = await insertSignedIn(db());
  const trackId = await insertTrack(db());
  await insertSession(db(), { trackId, userId, laps: [{ lapTimeMs: 60_000 }] });
  const avatarURL = await sendImage(testApp.app, headers, await phonePhoto());
  const own = (await call('PUT', '/api/user/avatar', headers, { avatarURL })).json().profileImageUrl;
  expect((await get(own)).statusCode).toBe(200);

  const response = await call('DELETE', '/api/user/avatar', headers);
  expect(response.statusCode).toBe(200);
  expect(response.json()).toMatchObject({ id: userId, profileImageUrl: null });
  expect((await get(own)).statusCode).toBe(404);
  const [record] = (await get(`/api/laps/track/${trackId}/best`)).json();
  expect(record.userAvatar).toBeNull();
  expect((await call('DELETE', '/api/user/avatar', headers)).statusCode).toBe(200);
});

test('only the owner removes the photo of a car', async () => {
  const { userId, headers } = await insertSignedIn(db());
  const other = await insertSignedIn(db(), { isAdmin: true });
  const carId = await insertUserCar(db(), { userId });
  const url = `/api/cars/${carId}/photo`;
  const photoURL = await sendImage(testApp.app, headers, await phonePhoto());
  const { photoUrl } = (await call('PUT', url, headers, { photoURL })).json();

  expect((await call('DELETE', url, {})).statusCode).toBe(401);
  expect((await call('DELETE', url, other.headers)).statusCode).toBe(403);
  expect((await get(photoUrl)).statusCode).toBe(200);

  const response = await call('DELETE', url, headers);
  expect(response.json()).toMatchObject({ id: carId, photoUrl: null });
  expect((await get(photoUrl)).statusCode).toBe(404);
  expect((await get('/api/user-cars', headers)).json()).toMatchObject([{ id: carId, photoUrl: null }]);
  expect((await call('DELETE', url, headers)).statusCode).toBe(200);
});
