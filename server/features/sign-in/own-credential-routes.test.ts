import { describe, expect, test } from 'vitest';
import { ageSignIns } from '#server/testing/builders.ts';
import { openAuthenticator } from '#server/testing/authenticator.ts';
import { CLUB_URL, type Device, PASSWORD, useClubApp } from '#server/testing/club-app.ts';

const club = useClubApp();

const NEW_PASSWORD = 'eleven wet laps in the dark';

const recover = (device: Device, body: object) => device.post('/api/auth/recover', body);
const look = async (device: Device) => (await device.get('/api/account/credentials')).json();

test('members see how they sign in, and where they are signed in', async () => {
  const { device, email } = await club.join();
  const phone = club.openDevice({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1',
  });
  await phone.signIn(email);
  expect(await look(phone)).toMatchObject({
    signInEmail: email,
    mayHavePassword: true,
    isRecent: true,
    passkeys: [],
    recoveryCodesLeft: 0,
    linkableProvider: null,
    devices: [
      { device: 'Safari on iPhone', isThisOne: true },
      { device: 'Firefox', isThisOne: false },
    ],
  });
  expect(await device.whoAmI()).toBe(200);
});

test('a device is signed out from another one; that of somebody else is not', async () => {
  const [mine, theirs] = [await club.join(), await club.join()];
  const phone = club.openDevice();
  await phone.signIn(mine.email);
  const { devices } = await look(mine.device);
  const { id } = devices.find((one: { isThisOne: boolean }) => !one.isThisOne);
  expect((await theirs.device.delete(`/api/account/devices/${id}`)).statusCode).toBe(403);
  expect(await phone.whoAmI()).toBe(200);
  expect((await mine.device.delete(`/api/account/devices/${id}`)).json()).toEqual({ removed: true });
  expect(await phone.whoAmI()).toBe(401);
  await phone.signIn(mine.email);
  await mine.device.delete('/api/account/devices');
  expect(await phone.whoAmI()).toBe(401);
  expect(await mine.device.whoAmI()).toBe(200);
  expect(await theirs.device.whoAmI()).toBe(200);
});

const NOTHING_ENDED = { apiTokens: 0, recoveryCodes: 0, linksMade: 0 };

describe('a new password', () => {
  test('takes the current one, and ends the auth sessions of all other devices', async () => {
    const { device, email } = await club.join();
    const phone = club.openDevice();
    await phone.signIn(email);
    const change = (body: object) => device.put('/api/account/password', body);
    for (const currentPassword of [undefined, 'not this one at all']) {
      const refused = await change({ currentPassword, newPassword: NEW_PASSWORD });
      expect(refused.statusCode).toBe(400);
      expect(refused.json().fields).toEqual({ currentPassword: 'This is not your current password.' });
    }
    const weak = await change({ currentPassword: PASSWORD, newPassword: 'password1234' });
    expect(weak.json().fields.newPassword).toMatch(/leaked/);
    const changed = await change({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
    expect(changed.json()).toEqual({ changed: true, ended: NOTHING_ENDED });
    expect(await device.whoAmI()).toBe(200);
    expect(await phone.whoAmI()).toBe(401);
    expect((await phone.signIn(email)).statusCode).toBe(401);
    expect((await phone.signIn(email, NEW_PASSWORD)).statusCode).toBe(200);
  });

  test('is no way to guess the current one', async () => {
    const { device } = await club.join();
    const statuses = [];
    for (let attempt = 0; attempt < 11; attempt++) {
      const body = { currentPassword: `guess number ${attempt}`, newPassword: NEW_PASSWORD };
      statuses.push((await device.put('/api/account/password', body)).statusCode);
    }
    expect(statuses.slice(-2)).toEqual([400, 429]);
  });
});

describe('recovery codes', () => {
  test('set a new password once, however they are typed; new ones, and their use, make old ones void', async () => {
    const { device, email } = await club.join();
    const first = (await device.post('/api/account/recovery-codes')).json().codes;
    const { codes } = (await device.post('/api/account/recovery-codes')).json();
    expect(new Set([...first, ...codes]).size).toBe(20);
    for (const code of codes) expect(code).toMatch(/^[a-z\d]{6}(-[a-z\d]{6}){3}$/);
    expect(await look(device)).toMatchObject({ recoveryCodesLeft: 10 });

    const phone = club.openDevice();
    const body = { email, newPassword: NEW_PASSWORD };
    expect((await recover(phone, { ...body, code: first[0] })).statusCode).toBe(401);
    const typed = codes[0].toUpperCase().replaceAll('-', ' ');
    expect((await recover(phone, { ...body, code: typed })).json()).toEqual({
      signedIn: true,
      ended: { ...NOTHING_ENDED, recoveryCodes: 9 },
      kept: { passkeys: 0, linkedIdentities: 0 },
    });
    expect(await device.whoAmI()).toBe(401);
    expect(await look(phone)).toMatchObject({ recoveryCodesLeft: 0 });
    for (const code of codes.slice(0, 2))
      expect((await recover(club.openDevice(), { ...body, code })).statusCode).toBe(401);
    expect((await club.openDevice().signIn(email, NEW_PASSWORD)).statusCode).toBe(200);
  });

  test('of somebody else, for an unknown mail address, or guessed, are answered alike and counted like passwords', async () => {
    const [mine, theirs] = [await club.join(), await club.join()];
    const { codes } = (await mine.device.post('/api/account/recovery-codes')).json();
    const body = { code: codes[0], newPassword: NEW_PASSWORD };
    const other = await recover(club.openDevice(), { ...body, email: theirs.email });
    const unknown = await recover(club.openDevice(), { ...body, email: 'unknown@club.example' });
    expect(other.statusCode).toBe(401);
    expect(unknown.json()).toEqual(other.json());
    const statuses = [];
    for (let attempt = 0; attempt < 11; attempt++)
      statuses.push(
        (await recover(club.openDevice(), { ...body, code: `${attempt}`, email: mine.email })).statusCode,
      );
    expect(statuses.slice(-2)).toEqual([401, 429]);
  });
});

test('a sign-in that is older than a quarter of an hour opens the account, but changes no way into it', async () => {
  const member = await club.join();
  const { device, email } = member;
  const authenticator = openAuthenticator(CLUB_URL);
  const { options } = (await device.post('/api/account/passkeys/options')).json();
  await ageSignIns(club.db, member.userId);
  const credential = authenticator.create(options.challenge);
  const changes = [
    await device.post('/api/account/passkeys', { name: 'Left alone', credential }),
    await device.post('/api/account/passkeys/options'),
    await device.post('/api/account/recovery-codes'),
    await device.post('/api/account/provider'),
    await device.delete('/api/account/provider'),
  ];
  for (const change of changes) {
    expect(change.statusCode).toBe(403);
    expect(change.json()).toMatchObject({
      error: 'confirmation_needed',
      message: expect.stringContaining('Sign in again'),
    });
  }
  expect(await look(device)).toMatchObject({ isRecent: false, passkeys: [], recoveryCodesLeft: 0 });
  await device.signIn(email);
  expect((await device.post('/api/account/recovery-codes')).statusCode).toBe(200);
});

test('a passkey is removed by its owner alone, and an account keeps a way in', async () => {
  const [mine, theirs] = [await club.join(), await club.join()];
  const authenticator = openAuthenticator(CLUB_URL);
  const { options } = (await mine.device.post('/api/account/passkeys/options')).json();
  const credential = authenticator.create(options.challenge);
  await mine.device.post('/api/account/passkeys', { name: 'Phone', credential });
  const [{ id, name }] = (await look(mine.device)).passkeys;
  expect(name).toBe('Phone');
  const path = `/api/account/passkeys/${id}`;
  expect((await theirs.device.delete(path)).statusCode).toBe(403);
  await club.database.pool.query('DELETE FROM passwords WHERE user_id = $1', [mine.userId]);
  const last = await mine.device.delete(path);
  expect(last.statusCode).toBe(409);
  expect(last.json().message).toMatch(/only way to sign in/);
  expect((await look(mine.device)).passkeys).toHaveLength(1);
});
