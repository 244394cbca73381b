import { afterEach, expect, test, vi } from 'vitest';
import { insertSignedIn, insertUserCar } from '#server/testing/builders.ts';
import { createUpload, phonePhoto, putTo } from '#server/testing/images.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
const guest = app.asGuest();

afterEach(() => void vi.useRealTimers());

const isOnDisk = () => app.storage.uploadAddresses === null;

test('an image that is used twice at once is shown once', async () => {
  const driver = await insertSignedIn(app.db);
  const carId = await insertUserCar(app.db, { userId: driver.userId });
  const address = await app.as(driver).sendImage(await phonePhoto());
  const answers = await Promise.all([
    app.as(driver).put('/api/user/avatar', { avatarURL: address }),
    app.as(driver).put(`/api/cars/${carId}/photo`, { photoURL: address }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 404]);
});

test('an upload URL takes one image, lasts a quarter of an hour, and cannot be changed', async (context) => {
  context.skip(!isOnDisk(), 'the object storage checks its own signatures');
  const driver = await insertSignedIn(app.db);
  const used = await app.as(driver).sendImage(await phonePhoto());
  expect(await putTo(guest, used, await phonePhoto())).toBe(409);

  const address = await createUpload(app.as(driver));
  const [key, end = '', signature] = address.slice(address.lastIndexOf('/') + 1).split('.');
  const otherKey = Buffer.from('incoming/other/key').toString('base64url');
  for (const token of [
    `${otherKey}.${end}.${signature}`,
    `${key}.${Number(end) + 9_999}.${signature}`,
    `${key}.${end}`,
    'x',
  ]) {
    const forged = address.slice(0, address.lastIndexOf('/') + 1) + token;
    expect(await putTo(guest, forged, await phonePhoto())).toBe(404);
  }
  vi.useFakeTimers({ now: Date.now() + 15 * 60_000 + 1_000, toFake: ['Date'] });
  expect(await putTo(guest, address, await phonePhoto())).toBe(403);
  vi.useRealTimers();
  expect(await putTo(guest, address, await phonePhoto())).toBe(200);
});

test('a driver cannot fill the disk with unused images', async () => {
  const driver = await insertSignedIn(app.db);
  for (let i = 0; i < 20; i++) await app.as(driver).sendImage(Buffer.from('x'));
  const response = await app.as(driver).post('/api/objects/upload');
  expect(response.statusCode).toBe(429);
});
