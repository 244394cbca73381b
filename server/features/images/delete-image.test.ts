import { expect, test } from 'vitest';
import { insertSession, insertSignedIn, insertTrack, insertUserCar } from '#server/testing/builders.ts';
import { phonePhoto } from '#server/testing/images.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
const guest = app.asGuest();

test('a driver removes their picture: none shows, and the file is gone', async () => {
  const driver = await insertSignedIn(app.db);
  const trackId = await insertTrack(app.db);
  await insertSession(app.db, { trackId, userId: driver.userId, laps: [{ lapTimeMs: 60_000 }] });
  const avatarURL = await app.as(driver).sendImage(await phonePhoto());
  const own = (await app.as(driver).put('/api/user/avatar', { avatarURL })).json().profileImageUrl;
  expect((await guest.get(own)).statusCode).toBe(200);

  const response = await app.as(driver).delete('/api/user/avatar');
  expect(response.statusCode).toBe(200);
  expect(response.json()).toMatchObject({ id: driver.userId, profileImageUrl: null });
  expect((await guest.get(own)).statusCode).toBe(404);
  const [record] = (await guest.get(`/api/laps/track/${trackId}/best`)).json();
  expect(record.userAvatar).toBeNull();
  expect((await app.as(driver).delete('/api/user/avatar')).statusCode).toBe(200);
});

test('only the owner removes the photo of a car', async () => {
  const driver = await insertSignedIn(app.db);
  const other = await insertSignedIn(app.db, { isAdmin: true });
  const carId = await insertUserCar(app.db, { userId: driver.userId });
  const url = `/api/cars/${carId}/photo`;
  const photoURL = await app.as(driver).sendImage(await phonePhoto());
  const { photoUrl } = (await app.as(driver).put(url, { photoURL })).json();

  expect((await guest.delete(url)).statusCode).toBe(401);
  expect((await app.as(other).delete(url)).statusCode).toBe(403);
  expect((await guest.get(photoUrl)).statusCode).toBe(200);

  const response = await app.as(driver).delete(url);
  expect(response.json()).toMatchObject({ id: carId, photoUrl: null });
  expect((await guest.get(photoUrl)).statusCode).toBe(404);
  expect((await app.as(driver).get('/api/user-cars')).json()).toMatchObject([{ id: carId, photoUrl: null }]);
  expect((await app.as(driver).delete(url)).statusCode).toBe(200);
});
