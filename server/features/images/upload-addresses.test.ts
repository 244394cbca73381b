import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { insertSignedIn, insertUserCar } from '#server/testing/builders.ts';
import { createUpload, phonePhoto, putTo, sendImage } from '#server/testing/images.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());
afterEach(() => void vi.useRealTimers());

const db = () => testApp.database.db;
const isOnDisk = () => testApp.storage.uploadAddresses === null;
const call = (method: 'PUT', url: string, headers: object, payload?: object) =>
  testApp.app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) });

test('one image that is used twice at once is shown once', async () => {
  const { userId, headers } = await insertSignedIn(db());
  const carId = await insertUserCar(db(), { userId });
  const address = await sendImage(testApp.app, headers, await phonePhoto());
  const answers = await Promise.all([
    call('PUT', '/api/user/avatar', headers, { avatarURL: address }),
    call('PUT', `/api/cars/${carId}/photo`, headers, { photoURL: address }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 404]);
});

test('an address takes one image, lasts a quarter of an hour, and cannot be changed', async (context) => {
  context.skip(!isOnDisk(), 'the object storage checks its own signatures');
  const { headers } = await insertSignedIn(db());
  const used = await sendImage(testApp.app, headers, await phonePhoto());
  expect(await putTo(testApp.app, used, await phonePhoto())).toBe(409);

  const address = await createUpload(testApp.app, headers);
  const [key, end = '', signature] = address.slice(address.lastIndexOf('/') + 1).split('.');
  const otherKey = Buffer.from('incoming/other/key').toString('base64url');
  for (const token of [
    `${otherKey}.${end}.${signature}`,
    `${key}.${Number(end) + 9_999}.${signature}`,
    `${key}.${end}`,
    'x',
  ]) {
    const forged = address.slice(0, address.lastIndexOf('/') + 1) + token;
    expect(await putTo(testApp.app, forged, await phonePhoto())).toBe(404);
  }
  vi.useFakeTimers({ now: Date.now() + 15 * 60_000 + 1_000, toFake: ['Date'] });
  expect(await putTo(testApp.app, address, await phonePhoto())).toBe(403);
  vi.useRealTimers();
  expect(await putTo(testApp.app, address, await phonePhoto())).toBe(200);
});

test('a driver cannot fill the disk with unused images', async () => {
  const { headers } = await insertSignedIn(db());
  for (let i = 0; i < 20; i++) await sendImage(testApp.app, headers, Buffer.from('x'));
  const response = await testApp.app.inject({ method: 'POST', url: '/api/objects/upload', headers });
  expect(response.statusCode).toBe(429);
});
