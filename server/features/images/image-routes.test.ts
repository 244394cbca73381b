import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import sharp from 'sharp';
import { afterEach, expect, test, vi } from 'vitest';
import { insertSession, insertSignedIn, insertTrack, insertUserCar } from '#server/testing/builders.ts';
import { createUpload, phonePhoto, putTo } from '#server/testing/images.ts';
import { listKeys } from '#server/testing/test-storage.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';
import { sweepImages } from '#server/model/images/sweep-images.ts';

const app = useTestApp();
const guest = app.asGuest();

afterEach(async () => {
  vi.useRealTimers();
  // Every test leaves the folder of incoming files empty.
  expect(await readdir(app.incomingFolder)).toEqual([]);
});

const setAvatar = (avatarURL: string, who: Person) => app.as(who).put('/api/user/avatar', { avatarURL });

const isOnDisk = () => app.storage.uploadAddresses === null;

test('an avatar is shown in the profile and on the boards', async () => {
  const driver = await insertSignedIn(app.db);
  const trackId = await insertTrack(app.db);
  await insertSession(app.db, { trackId, userId: driver.userId, laps: [{ lapTimeMs: 60_000 }] });
  const avatarOnBoard = async () => (await guest.get(`/api/laps/track/${trackId}/best`)).json()[0].userAvatar;
  expect(await avatarOnBoard()).toBeNull();

  const response = await setAvatar(await app.as(driver).sendImage(await phonePhoto()), driver);
  expect(response.statusCode).toBe(200);
  const { profileImageUrl } = response.json();
  expect(profileImageUrl).toMatch(/^\/api\/images\/[0-9a-f-]{36}$/);
  expect((await app.as(driver).get('/api/auth/user')).json().profileImageUrl).toBe(profileImageUrl);
  expect((await app.as(driver).get(`/api/users/${driver.userId}`)).json().profileImageUrl).toBe(
    profileImageUrl,
  );
  expect(await avatarOnBoard()).toBe(profileImageUrl);
});

test('images are shown as a new WebP, turned upright, without the metadata of the file', async () => {
  const driver = await insertSignedIn(app.db);
  const carId = await insertUserCar(app.db, { userId: driver.userId });
  const photo = await phonePhoto(2_000, 1_000, 6);
  expect(photo.includes('Secret Phone')).toBe(true);
  const photoURL = await app.as(driver).sendImage(photo);
  const response = await app.as(driver).put(`/api/cars/${carId}/photo`, { photoURL });
  expect(response.statusCode).toBe(200);
  expect((await app.as(driver).get('/api/user-cars')).json()[0].photoUrl).toBe(response.json().photoUrl);

  const image = await guest.get(response.json().photoUrl);
  expect(image.statusCode).toBe(200);
  expect(image.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-length': String(image.rawPayload.length),
  });
  const { format, width, height, exif, orientation } = await sharp(image.rawPayload).metadata();
  expect({ format, width, height, exif, orientation }).toEqual({
    format: 'webp',
    width: 800,
    height: 1_600,
    exif: undefined,
    orientation: undefined,
  });
  expect(image.rawPayload.includes('Secret')).toBe(false);
});

test('a new avatar takes the place of the old one, which is removed', async () => {
  const driver = await insertSignedIn(app.db);
  const urls: string[] = [];
  for (let i = 0; i < 2; i++) {
    const address = await app.as(driver).sendImage(await phonePhoto(60 + i, 60));
    urls.push((await setAvatar(address, driver)).json().profileImageUrl);
  }
  expect((await guest.get(urls[0] ?? '')).statusCode).toBe(404);
  expect((await guest.get(urls[1] ?? '')).statusCode).toBe(200);
});

test('a moving picture becomes its first frame, and a small one is not blown up', async () => {
  const driver = await insertSignedIn(app.db);
  const frames = await Promise.all(
    ['#ff0000', '#0000ff'].map((background) =>
      sharp({ create: { width: 30, height: 20, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  const response = await setAvatar(await app.as(driver).sendImage(gif), driver);
  const image = sharp((await guest.get(response.json().profileImageUrl)).rawPayload);
  expect(await image.metadata()).toMatchObject({ width: 30, height: 20 });
  const { dominant } = await image.stats();
  expect(dominant).toEqual({ r: 248, g: 8, b: 8 });
});

test.each([
  ['a text', 'invalid_input', Buffer.from('not an image at all')],
  ['nothing', 'invalid_input', Buffer.alloc(0)],
  ['noise', 'invalid_input', randomBytes(5_000)],
  [
    'a drawing that could name files',
    'invalid_input',
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="/etc/passwd"/></svg>',
    ),
  ],
])('%s is no image: it is refused, and the avatar stays', async (_name, code, content) => {
  const driver = await insertSignedIn(app.db);
  const before = await setAvatar(await app.as(driver).sendImage(await phonePhoto()), driver);
  const { profileImageUrl } = before.json();
  const response = await setAvatar(await app.as(driver).sendImage(content), driver);
  expect(response.statusCode).toBe(400);
  expect(response.json().error).toBe(code);
  expect((await app.as(driver).get('/api/auth/user')).json().profileImageUrl).toBe(profileImageUrl);
  expect((await guest.get(profileImageUrl)).statusCode).toBe(200);
});

test.each([
  ['heic', ['mif1', 'heic']],
  ['mif1', ['mif1', 'heic', 'MiPr']],
  ['hevc', ['msf1', 'hevc']],
])(
  'the error for a HEIC photo of the brand %s names the format and what to do',
  async (brand, compatible) => {
    const driver = await insertSignedIn(app.db);
    const box = Buffer.from(`\0\0\0\0ftyp${brand}\0\0\0\0${compatible.join('')}`, 'latin1');
    box.writeUInt32BE(box.length);
    const photo = Buffer.concat([box, randomBytes(2_000)]);
    const response = await setAvatar(await app.as(driver).sendImage(photo), driver);
    expect(response.statusCode).toBe(400);
    expect(response.json().message).toMatch(/^This is a HEIC photo, .* Save it as JPEG/);
  },
);

test('an AVIF image, whose container is that of HEIC, is taken', async () => {
  const driver = await insertSignedIn(app.db);
  const image = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#abc' } })
    .avif()
    .toBuffer();
  const response = await setAvatar(await app.as(driver).sendImage(image), driver);
  expect(response.statusCode).toBe(200);
});

test('half a photo is refused', async () => {
  const driver = await insertSignedIn(app.db);
  const whole = await sharp(randomBytes(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } })
    .jpeg()
    .toBuffer();
  const half = whole.subarray(0, whole.length / 2);
  const response = await setAvatar(await app.as(driver).sendImage(half), driver);
  expect(response.json()).toMatchObject({ message: 'This image is damaged or cannot be read.' });
});

test('a small file that unpacks to a huge image is refused before it is unpacked', async () => {
  const driver = await insertSignedIn(app.db);
  const bomb = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: '#000' } })
    .png({ compressionLevel: 9 })
    .toBuffer();
  expect(bomb.length).toBeLessThan(1_000_000);
  const response = await setAvatar(await app.as(driver).sendImage(bomb), driver);
  expect(response.statusCode).toBe(413);
  expect(response.json().message).toBe('This image is too large: it may have at most 64 million pixels.');
});

test('an image works once: used again, never sent or made up, it changes nothing', async () => {
  const driver = await insertSignedIn(app.db);
  const address = await app.as(driver).sendImage(await phonePhoto());
  const { profileImageUrl } = (await setAvatar(address, driver)).json();
  expect((await setAvatar(address, driver)).statusCode).toBe(404);
  // Our own addresses refuse a second image; an object storage takes it in, and it is never used.
  expect(await putTo(guest, address, await phonePhoto())).toBe(isOnDisk() ? 409 : 200);
  expect((await setAvatar(address, driver)).statusCode).toBe(404);
  expect((await setAvatar(await createUpload(app.as(driver)), driver)).statusCode).toBe(404);
  for (const made of ['http://localhost:4200/api/objects/abc.1.def', 'https://evil.example/x', 'file:///x']) {
    expect((await setAvatar(made, driver)).statusCode).toBe(400);
  }
  expect((await app.as(driver).get('/api/auth/user')).json().profileImageUrl).toBe(profileImageUrl);
});

test('an image that somebody else has sent is refused, and stays theirs', async () => {
  const driver = await insertSignedIn(app.db);
  const other = await insertSignedIn(app.db);
  const address = await app.as(other).sendImage(await phonePhoto());
  expect((await setAvatar(address, driver)).statusCode).toBe(403);
  expect((await app.as(driver).get('/api/auth/user')).json().profileImageUrl).toBeNull();
  expect((await setAvatar(address, other)).statusCode).toBe(200);
});

test("only one's own cars get a photo", async () => {
  const driver = await insertSignedIn(app.db);
  const other = await insertSignedIn(app.db);
  const otherCar = await insertUserCar(app.db, { userId: other.userId });
  const retired = await insertUserCar(app.db, { userId: driver.userId, retiredAt: new Date() });
  const photoURL = await app.as(driver).sendImage(await phonePhoto());
  const statusFor = async (id: string) =>
    (await app.as(driver).put(`/api/cars/${id}/photo`, { photoURL })).statusCode;
  expect(await statusFor(otherCar)).toBe(403);
  expect(await statusFor(retired)).toBe(404);
  expect(await statusFor('00000000-0000-4000-8000-000000000000')).toBe(404);
  expect(await statusFor('no-id')).toBe(400);
  expect((await app.as(other).get('/api/user-cars')).json()[0].photoUrl).toBeNull();
});

test('an unknown image key gets 404, a malformed one 400', async () => {
  expect((await guest.get('/api/images/00000000-0000-4000-8000-000000000000')).statusCode).toBe(404);
  expect((await guest.get('/api/images/..%2f..%2fetc')).statusCode).toBe(400);
});

test('an image over the limit is refused, whether or not it says how large it is', async (context) => {
  context.skip(!isOnDisk(), 'the object storage takes it in');
  const driver = await insertSignedIn(app.db);
  const tooMuch = Buffer.alloc(26_214_401);
  const address = await createUpload(app.as(driver));
  const response = await guest.put(new URL(address).pathname, tooMuch);
  expect(response.statusCode).toBe(413);
  expect(response.json()).toMatchObject({
    error: 'too_large',
    message: 'The image is too large: it may have at most 25 MB.',
  });
  expect(await putTo(guest, address, tooMuch.subarray(1))).toBe(200);
});

test('an image over the limit is refused after an object storage has accepted it', async (context) => {
  context.skip(isOnDisk(), 'the server takes it in');
  const driver = await insertSignedIn(app.db);
  const address = await app.as(driver).sendImage(Buffer.alloc(26_214_401));
  const response = await setAvatar(address, driver);
  expect(response.statusCode).toBe(413);
  expect((await app.as(driver).get('/api/auth/user')).json().profileImageUrl).toBeNull();
  expect((await setAvatar(address, driver)).statusCode).toBe(404);
});

test('a page may send photos to where the upload URLs lead', async () => {
  const driver = await insertSignedIn(app.db);
  const { origin } = new URL(await createUpload(app.as(driver)));
  const policy = String((await guest.get('/api/health')).headers['content-security-policy']);
  const allowed = isOnDisk() ? "connect-src 'self';" : `connect-src 'self' ${origin};`;
  expect(policy).toContain(allowed);
});

test('over a connection, chunks beyond the limit are answered with 413 as well', async (context) => {
  context.skip(!isOnDisk(), 'the object storage takes it in');
  const driver = await insertSignedIn(app.db);
  const address = await createUpload(app.as(driver));
  const base = await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  const sending = httpRequest(base + new URL(address).pathname, { method: 'PUT' });
  const answered = once(sending, 'response');
  for (let i = 0; i < 27; i++) sending.write(Buffer.alloc(1_000_000));
  sending.end();
  const [response]: IncomingMessage[] = await answered;
  expect(response?.statusCode).toBe(413);
  response?.resume();
});

test('images that are not used for an hour are swept, and so are images that nothing shows', async (context) => {
  context.skip(!isOnDisk(), 'the clock of the object storage cannot be moved');
  const driver = await insertSignedIn(app.db);
  const { profileImageUrl } = (
    await setAvatar(await app.as(driver).sendImage(await phonePhoto()), driver)
  ).json();
  await app.as(driver).sendImage(await phonePhoto());
  vi.useFakeTimers({ now: Date.now() + 30 * 60_000, toFake: ['Date'] });
  const orphan = '11111111-1111-4111-8111-111111111111';
  const path = `${app.incomingFolder}/orphan`;
  await sharp(await phonePhoto()).toFile(path);
  await app.storage.put(`images/11/${orphan}.webp`, path);
  await sweepImages(app.storage, app.db, 60 * 60_000);
  expect(await listKeys(app.storage, 'incoming')).not.toEqual([]);
  expect((await guest.get(`/api/images/${orphan}`)).statusCode).toBe(200);

  vi.useFakeTimers({ now: Date.now() + 61 * 60_000, toFake: ['Date'] });
  await sweepImages(app.storage, app.db, 60 * 60_000);
  expect(await listKeys(app.storage, 'incoming')).toEqual([]);
  expect((await guest.get(`/api/images/${orphan}`)).statusCode).toBe(404);
  expect((await guest.get(profileImageUrl)).statusCode).toBe(200);
});
