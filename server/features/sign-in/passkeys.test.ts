import { describe, expect, test } from 'vitest';
import { openAuthenticator } from '#server/testing/authenticator.ts';
import { CLUB_URL, type Device, startClubApp, useClubApp } from '#server/testing/club-app.ts';

// docs/authentication.md names the rule of OWASP ASVS that each test holds.

const club = useClubApp();

const COOKIE = '__Host-pitboard_sign_in';

const challenge = async (device: Device, url: string): Promise<string> => {
  const response = await device.post(url);
  expect(response.statusCode).toBe(200);
  return response.json().options.challenge;
};

const use = (device: Device, credential: object) => device.post('/api/auth/passkey', { credential });

const add = (device: Device, credential: object) =>
  device.post('/api/account/passkeys', { name: 'Key', credential });

const addPasskey = async (device: Device, authenticator = openAuthenticator(CLUB_URL)) => {
  const credential = authenticator.create(await challenge(device, '/api/account/passkeys/options'));
  const response = await device.post('/api/account/passkeys', { name: 'Phone', credential });
  expect(response.json()).toEqual({ added: true });
  return authenticator;
};

describe('a passkey', () => {
  test('signs in without a mail address or a password; each challenge once', async () => {
    const { device, userId } = await club.join();
    const authenticator = await addPasskey(device);
    const phone = club.openDevice();
    const credential = authenticator.get(await challenge(phone, '/api/auth/passkey/options'));
    expect((await use(phone, credential)).json()).toEqual({ signedIn: true });
    expect((await phone.get('/api/auth/user')).json()).toMatchObject({ id: userId });
    expect((await use(club.openDevice(), credential)).statusCode).toBe(401);
  });

  test('is not refused where the database fails: that is an error of the server, and the challenge stays good', async () => {
    const { device } = await club.join();
    const authenticator = await addPasskey(device);
    const phone = club.openDevice();
    const credential = authenticator.get(await challenge(phone, '/api/auth/passkey/options'));
    const made = openAuthenticator(CLUB_URL).create(await challenge(device, '/api/account/passkeys/options'));
    await club.database.pool.query('ALTER TABLE one_time_tokens RENAME TO hidden_tokens');
    try {
      expect((await use(phone, credential)).statusCode).toBe(500);
      expect((await add(device, made)).statusCode).toBe(500);
    } finally {
      await club.database.pool.query('ALTER TABLE hidden_tokens RENAME TO one_time_tokens');
    }
    expect((await use(phone, credential)).statusCode).toBe(200);
    expect((await add(device, made)).statusCode).toBe(200);
  });

  test('of another site, of another challenge, or with a signature of another key is refused', async () => {
    const { device } = await club.join();
    const authenticator = await addPasskey(device);
    const stranger = openAuthenticator(CLUB_URL);
    const phone = club.openDevice();
    const fresh = () => challenge(phone, '/api/auth/passkey/options');
    const otherSite = openAuthenticator('https://laps.example.evil.example');
    const stolen = authenticator.get(await fresh());
    const forged = stranger.get(await fresh());
    const attempts = [
      authenticator.get(await fresh(), 'https://evil.example'),
      authenticator.get(await fresh(), 'http://laps.example'),
      otherSite.get(await fresh()),
      stranger.get(await fresh()),
      authenticator.get(Buffer.from('a challenge that was made up').toString('base64url')),
      { ...forged, id: stolen.id, rawId: stolen.id },
    ];
    for (const credential of attempts) expect((await use(phone, credential)).statusCode).toBe(401);
    expect(phone.cookies.size).toBe(0);
  });

  test('may have an id as long as WebAuthn allows, and no longer', async () => {
    const { device } = await club.join();
    await addPasskey(device, openAuthenticator(CLUB_URL, 1_023));
    const long = openAuthenticator(CLUB_URL, 2_100);
    const refused = await add(device, long.create(await challenge(device, '/api/account/passkeys/options')));
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { error: 'invalid_input', message: 'The id of this passkey is too long.' },
    ]);
  });

  test('is added only for a challenge of this very user, on this very site', async () => {
    const [mine, theirs] = [await club.join(), await club.join()];
    const options = '/api/account/passkeys/options';
    const authenticator = openAuthenticator(CLUB_URL);
    const wrong = [
      authenticator.create(await challenge(theirs.device, options)),
      authenticator.create(await challenge(mine.device, '/api/auth/passkey/options')),
      authenticator.create(await challenge(mine.device, options), 'https://evil.example'),
    ];
    for (const credential of wrong) expect((await add(mine.device, credential)).statusCode).toBe(400);
    await addPasskey(mine.device, authenticator);
    const taken = authenticator.create(await challenge(theirs.device, options));
    expect((await add(theirs.device, taken)).statusCode).toBe(409);
  });

  test('challenge that one copy of the server gives is good at another', async () => {
    const { device, userId } = await club.join();
    const authenticator = await addPasskey(device);
    const copy = await startClubApp({ database: club.database });
    const [here, there] = [club.openDevice(), copy.openDevice()];
    const credential = authenticator.get(await challenge(here, '/api/auth/passkey/options'));
    expect((await use(there, credential)).statusCode).toBe(200);
    here.cookies.set(COOKIE, there.cookies.get(COOKIE) ?? '');
    expect((await here.get('/api/auth/user')).json()).toMatchObject({ id: userId });
  });
});
