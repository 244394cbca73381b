import { describe, expect, test } from 'vitest';
import { hashToken } from '#server/model/people/auth-cookie.ts';
import { PASSWORD, startClubApp, useClubApp } from '#server/testing/club-app.ts';

// docs/authentication.md names the rule of OWASP ASVS that each test holds.

const club = useClubApp();

const COOKIE = '__Host-pitboard_sign_in';

describe('a password', () => {
  test('signs in on a second device, whatever capitals the mail address is written with', async () => {
    const { email, userId } = await club.join();
    const phone = club.openDevice({ userAgent: 'Mozilla/5.0 (Linux; Android 16) Chrome/150.0' });
    expect((await phone.signIn(email.toUpperCase())).json()).toEqual({ signedIn: true });
    expect((await phone.get('/api/auth/user')).json()).toMatchObject({ id: userId, email });
  });

  test.each([
    ['short', 'kerb kerb', /at least 12 characters/],
    ['longer than can be hashed quickly', 'x y'.repeat(43), /128 characters at most/],
    ['on the list of leaked ones', 'Password123456', /leaked/],
    ['a walk over the keyboard', 'qwertyuiop[]', /leaked/],
    ['one word again and again', 'letmeinletmein', /leaked/],
    ['the address', 'ana.lima@club.example', /leaked/],
    ['the name, twice', 'AnaLimaAnaLima', /leaked/],
    ['one word again, with a space', 'letmein letmein', /leaked/],
    ['the four words of a cartoon', 'correcthorsebatterystaple', /leaked/],
    ['the host of the site', 'laps.example', /leaked/],
    ['the host of the site, longer', 'Laps.Example1', /leaked/],
    ['weak from beginning to end', 'p4$$w0rd'.repeat(12), /leaked/],
  ])('that is %s is refused', async (_what, password, sentence) => {
    const token = await club.makeLink({});
    const account = { firstName: 'Ana', lastName: 'Lima', email: 'ana.lima@club.example', password };
    const response = await club.openDevice().post('/api/auth/invitation', { token, ...account });
    expect(response.statusCode).toBe(400);
    expect(response.json().fields.password).toMatch(sentence);
  });

  test('may hold any characters, and hashes the same however its letters are composed', async () => {
    const token = await club.makeLink({});
    const password = 'Bärenkurve \u{1F3C1} später bremsen';
    const email = 'composed@club.example';
    const account = { firstName: 'A', lastName: 'B', email, password: password.normalize('NFD') };
    const made = await club.openDevice().post('/api/auth/invitation', { token, ...account });
    expect(made.statusCode).toBe(200);
    expect((await club.openDevice().signIn(email, password.normalize('NFC'))).statusCode).toBe(200);
    expect((await club.openDevice().signIn(email, ` ${password} `)).statusCode).toBe(401);
  });

  test('is kept as argon2id alone, with the cost that OWASP asks for', async () => {
    await club.join();
    const { rows } = await club.database.pool.query('SELECT hash FROM passwords');
    for (const { hash } of rows) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(JSON.stringify(rows)).not.toContain(PASSWORD);
  });

  test('that is wrong and a mail address that is unknown are answered alike', async () => {
    const { email } = await club.join();
    const wrong = await club.openDevice({ address: '203.0.113.21' }).signIn(email, 'not this one at all');
    const unknown = await club.openDevice({ address: '203.0.113.22' }).signIn('unknown-to-us@club.example');
    expect(wrong.statusCode).toBe(401);
    expect(unknown.statusCode).toBe(401);
    expect(unknown.json()).toEqual(wrong.json());
    expect(Object.keys(unknown.headers).toSorted()).toEqual(Object.keys(wrong.headers).toSorted());
  });

  test('is guessed ten times in a quarter of an hour from one address, known account or not; then not even the right one signs in there', async () => {
    const { email } = await club.join();
    const address = '198.51.100.1';
    for (const target of [email, 'unknown-target@club.example']) {
      const statuses = [];
      for (let attempt = 0; attempt < 12; attempt++) {
        const device = club.openDevice({ address });
        statuses.push((await device.signIn(target, `guess number ${attempt}`)).statusCode);
      }
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    }
    const right = await club.openDevice({ address }).signIn(email);
    expect(right.statusCode).toBe(429);
    expect(right.json().message).toMatch(/Wait 15 minutes, use a passkey/);
    expect((await club.openDevice({ address: '198.51.100.2' }).signIn(email)).statusCode).toBe(200);
  });

  test('is tried for at most a hundred accounts from one address', async () => {
    const address = '192.0.2.99';
    await club.database.pool.query(
      `INSERT INTO call_counts (key, calls, ends_at) VALUES ('attempts from ${address}', 100, now() + interval '10 minutes')`,
    );
    expect((await club.openDevice({ address }).signIn('spray@club.example')).statusCode).toBe(429);
  });

  test('signs in on a device whose cookie holds what was signed for another one', async () => {
    const { email, device } = await club.join();
    for (const value of ['no JSON', '{"state":"x"}', '[]']) {
      device.cookies.set('__Host-pitboard_device', encodeURIComponent(club.fastify.signCookie(value)));
      expect((await device.signIn(email)).statusCode, value).toBe(200);
    }
  });

  test('that is right lets earlier slips be forgotten', async () => {
    const { email } = await club.join();
    for (let round = 0; round < 2; round++) {
      for (let slip = 0; slip < 8; slip++)
        await club.openDevice({ address: `198.51.100.${slip}` }).signIn(email, 'a slip of the finger');
      expect((await club.openDevice().signIn(email)).statusCode).toBe(200);
    }
  });
});

describe('an auth session', () => {
  test('gets a new token at the sign-in, out of reach of scripts, other sites and plain lines', async () => {
    const { email } = await club.join();
    const device = club.openDevice();
    device.cookies.set(COOKIE, 'planted-by-somebody-else-who-waits-for-a-sign-in');
    const response = await device.signIn(email);
    expect(response.cookies.find(({ name }) => name === COOKIE)).toMatchObject({
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
      path: '/',
    });
    expect(device.cookies.get(COOKIE)).not.toMatch(/^planted/);
    const { rows } = await club.database.pool.query('SELECT token_sha256 FROM sign_ins');
    const kept = rows.map((row) => row.token_sha256);
    expect(kept).toContain(hashToken(device.cookies.get(COOKIE) ?? ''));
    expect(kept).not.toContain(device.cookies.get(COOKIE));
  });

  test('is not started by a page of another site', async () => {
    const { email } = await club.join();
    const response = await club
      .asGuest()
      .post(
        '/api/auth/password',
        { email, password: PASSWORD },
        { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
      );
    expect(response.statusCode).toBe(403);
    expect(response.cookies).toEqual([]);
  });

  test('of somebody who is suspended ends at once, and no new one starts, whatever they sign in with', async () => {
    const { email, userId, device } = await club.join();
    expect(await device.whoAmI()).toBe(200);
    await club.database.pool.query('UPDATE users SET suspended_at = now() WHERE id = $1', [userId]);
    expect(await device.whoAmI()).toBe(401);
    const response = await club.openDevice().signIn(email);
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ error: 'suspended' });
    const token = await club.makeLink({ purpose: 'reset', userId });
    const reset = { token, newPassword: 'four other words now' };
    expect((await club.openDevice().post('/api/auth/reset', reset)).statusCode).toBe(403);
    // A wrong password gets the answer of any account, which does not reveal the suspension.
    expect((await club.openDevice().signIn(email, 'not this one at all')).statusCode).toBe(401);
  });
});

test('a server without accounts of its own refuses all of this', async () => {
  const local = await startClubApp({ settings: { hasOwnAccounts: false }, database: club.database });
  const { email } = await club.join();
  expect((await local.openDevice().signIn(email)).statusCode).toBe(403);
  expect((await local.openDevice().post('/api/auth/passkey/options')).statusCode).toBe(403);
  const token = await club.makeLink({});
  expect((await local.openDevice().post('/api/auth/link', { kind: 'invitation', token })).statusCode).toBe(
    403,
  );
});
