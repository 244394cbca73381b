import { describe, expect, test, vi } from 'vitest';
import { hashToken } from '#server/model/people/auth-cookie.ts';
import { PASSWORD, startClubApp, useClubApp } from '#server/testing/club-app.ts';

// docs/authentication.md names the rule of OWASP ASVS that each test holds.

const club = useClubApp();

const account = (email: string) => ({ firstName: 'New', lastName: email, email, password: PASSWORD });

const accept = (token: string, email: string) =>
  club.openDevice().post('/api/auth/invitation', { token, ...account(email) });

describe('an invitation', () => {
  test('makes one account with its role, says what it is before, and is gone then', async () => {
    const token = await club.makeLink({ role: 'moderator' });
    const look = await club.openDevice().post('/api/auth/link', { kind: 'invitation', token });
    expect(look.json()).toMatchObject({ role: 'moderator', email: null });
    expect((await accept(token, 'first@club.example')).statusCode).toBe(200);
    expect((await accept(token, 'second@club.example')).statusCode).toBe(404);
    const again = await club.openDevice().post('/api/auth/link', { kind: 'invitation', token });
    expect(again.statusCode).toBe(404);
    expect(again.json().message).toMatch(/Ask for a new one/);
    const { rows } = await club.database.pool.query('SELECT role FROM users WHERE email = $1', [
      'first@club.example',
    ]);
    expect(rows).toEqual([{ role: 'moderator' }]);
  });

  test('lets as many in as it is for, also when all come at once', async () => {
    const token = await club.makeLink({ usesLeft: 2 });
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => accept(token, `crowd-${name}@club.example`)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(2);
    expect(answers.filter(({ statusCode }) => statusCode === 404)).toHaveLength(2);
  });

  test('that has expired, was made for something else, or was made up opens nothing', async () => {
    const expired = await club.makeLink({ lastsMs: -1 });
    const { userId } = await club.join();
    const other = await club.makeLink({ purpose: 'reset', userId });
    for (const token of [expired, other, 'x'.repeat(43)])
      expect((await accept(token, 'late@club.example')).statusCode).toBe(404);
    expect((await accept('not a token', 'late@club.example')).statusCode).toBe(400);
  });

  test('for one mail address is not for another', async () => {
    const token = await club.makeLink({ email: 'only@club.example' });
    const response = await accept(token, 'other@club.example');
    expect(response.statusCode).toBe(400);
    expect(response.json().fields).toEqual({ email: 'This invitation is for only@club.example.' });
    expect((await accept(token, 'Only@Club.example')).statusCode).toBe(200);
  });

  test('is not used up by a mail address that has an account, nor by a password that is refused', async () => {
    const { email } = await club.join();
    const token = await club.makeLink({});
    expect((await accept(token, email)).statusCode).toBe(409);
    const weak = { token, ...account('weak@club.example'), password: 'password1234' };
    expect((await club.openDevice().post('/api/auth/invitation', weak)).statusCode).toBe(400);
    expect((await accept(token, 'weak@club.example')).statusCode).toBe(200);
  });

  test('proves a mail address only if it was sent there', async () => {
    for (const provesEmail of [false, true]) {
      const email = `proof-${provesEmail}@club.example`;
      await accept(await club.makeLink({ email, provesEmail }), email);
      const { rows } = await club.database.pool.query('SELECT email_verified FROM users WHERE email = $1', [
        email,
      ]);
      expect(rows).toEqual([{ email_verified: provesEmail }]);
    }
  });

  test('is kept as a hash', async () => {
    const token = await club.makeLink({});
    const { rows } = await club.database.pool.query('SELECT * FROM one_time_tokens');
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).toContain(hashToken(token));
  });
});

describe('a link to set a new password', () => {
  test('works once, ends every auth session and every other such link, and signs in', async () => {
    const { email, userId, device } = await club.join();
    const [token, spare] = [
      await club.makeLink({ purpose: 'reset', userId }),
      await club.makeLink({ purpose: 'reset', userId }),
    ];
    const look = await club.openDevice().post('/api/auth/link', { kind: 'reset', token });
    expect(look.json()).toMatchObject({ email });
    const phone = club.openDevice();
    const newPassword = 'eleven wet laps in the dark';
    expect((await phone.post('/api/auth/reset', { token, newPassword })).statusCode).toBe(200);
    expect(await phone.whoAmI()).toBe(200);
    expect(await device.whoAmI()).toBe(401);
    expect((await club.openDevice().signIn(email)).statusCode).toBe(401);
    expect((await club.openDevice().signIn(email, newPassword)).statusCode).toBe(200);
    for (const used of [token, spare])
      expect((await phone.post('/api/auth/reset', { token: used, newPassword })).statusCode).toBe(404);
  });

  test('of one member opens nothing of another', async () => {
    const [mine, theirs] = [await club.join(), await club.join()];
    const token = await club.makeLink({ purpose: 'reset', userId: mine.userId });
    await club.openDevice().post('/api/auth/reset', { token, newPassword: 'four other words now' });
    expect((await club.openDevice().signIn(theirs.email)).statusCode).toBe(200);
    expect(await theirs.device.whoAmI()).toBe(200);
  });
});

describe('the set-up', () => {
  test('names the registration that the settings of the server fix', async () => {
    for (const registration of [null, 'closed'] as const) {
      const own = await startClubApp({ settings: { registration } });
      const token = await own.makeLink({ purpose: 'set-up' });
      const look = await own.openDevice().post('/api/auth/link', { kind: 'set-up', token });
      expect(look.json()).toMatchObject({ fixedRegistration: registration });
    }
  });

  test('makes one owner, names the club, removes the file of the link, and closes the door behind it', async () => {
    const deleteSetUpLink = vi.fn<() => Promise<void>>(async () => {});
    const own = await startClubApp({ deleteSetUpLink });
    const ways = async () => (await own.openDevice().get('/api/auth/sign-in-methods')).json();
    expect(await ways()).toEqual({
      clubName: null,
      hasPasswords: true,
      provider: null,
      registration: 'invited',
      sendsMail: false,
      isSetUp: false,
    });
    const [token, second] = [
      await own.makeLink({ purpose: 'set-up' }),
      await own.makeLink({ purpose: 'set-up' }),
    ];
    const body = {
      firstName: 'Olga',
      lastName: 'Brandt',
      email: 'olga@club.example',
      password: PASSWORD,
      clubName: 'Kart Club Nord',
      timeZone: 'Europe/Vienna',
      registration: 'closed',
    };
    const owner = own.openDevice();
    const look = async (kind: string, link: string) =>
      (await owner.post('/api/auth/link', { kind, token: link })).json().missing;
    expect(await look('set-up', token)).toEqual(['mail', 'backups', 'updates']);
    expect(await look('invitation', await own.makeLink({}))).toEqual([]);
    const wrong = await owner.post('/api/auth/set-up', { token, ...body, timeZone: 'Mars/Crater' });
    expect(wrong.json().fields).toEqual({ timeZone: 'Choose a time zone.' });
    expect(deleteSetUpLink).not.toHaveBeenCalled();
    expect((await owner.post('/api/auth/set-up', { token, ...body })).statusCode).toBe(200);
    expect(deleteSetUpLink).toHaveBeenCalledOnce();
    expect((await owner.get('/api/auth/user')).json()).toMatchObject({ isAdmin: true });
    expect(await ways()).toMatchObject({ clubName: 'Kart Club Nord', registration: 'closed', isSetUp: true });
    for (const late of [token, second])
      expect((await own.openDevice().post('/api/auth/set-up', { token: late, ...body })).statusCode).toBe(
        404,
      );
    const invited = { token: await own.makeLink({}), ...body, email: 'late@club.example' };
    expect((await own.openDevice().post('/api/auth/invitation', invited)).statusCode).toBe(403);
  });
});
