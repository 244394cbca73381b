import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '#server/model/people/auth-cookie.ts';
import { endByEvent, lockUsers } from '#server/model/people/ending-store.ts';
import { users } from '#server/model/people/schema.ts';
import { setAdministrator } from '#server/model/people/role-store.ts';
import { openAuthenticator } from '../authenticator.ts';
import { insertApiToken } from '../builders.ts';
import { CLUB_URL, type Device, type Member, PASSWORD, useClubApp } from '../club-app.ts';

// Ways into accounts of others. Every attack in this file was possible once.

const CHIEF = 'chief@club.example';
const NEW_PASSWORD = 'eleven wet laps in the dark';

const club = useClubApp({ settings: { adminEmails: [CHIEF], registration: 'open' } });
let owner: Member;
let attempts = 0;

beforeAll(async () => {
  owner = await club.join({ role: 'owner' });
});

const newAddress = () => `198.51.100.${(attempts += 1)}`;
const stranger = () => club.openDevice({ address: newAddress() });
const roleOf = async (device: Device) => (await device.get('/api/auth/user')).json().role;
const statusOf = async (answer: Promise<{ statusCode: number }>) => (await answer).statusCode;

async function addPasskey(device: Device) {
  const authenticator = openAuthenticator(CLUB_URL);
  const { options } = (await device.post('/api/account/passkeys/options')).json();
  await device.post('/api/account/passkeys', {
    name: 'Key',
    credential: authenticator.create(options.challenge),
  });
  return authenticator;
}

/** Registers with the address and takes everything that opens the account later. */
async function plant(email: string) {
  const attacker = stranger();
  const names = { firstName: 'Mallory', lastName: `Number ${(attempts += 1)}` };
  expect(await statusOf(attacker.post('/api/auth/register', { ...names, email, password: PASSWORD }))).toBe(
    200,
  );
  const { id: userId } = (await attacker.get('/api/auth/user')).json();
  const authenticator = await addPasskey(attacker);
  const { codes } = (await attacker.post('/api/account/recovery-codes')).json();
  const token = await insertApiToken(club.db, userId);
  return { attacker, userId, email, authenticator, codes, token, name: names.lastName };
}

async function expectNothingOpens(planted: Awaited<ReturnType<typeof plant>>) {
  const { attacker, email, authenticator, codes, token } = planted;
  expect(await attacker.whoAmI()).toBe(401);
  expect(await statusOf(stranger().signIn(email))).toBe(401);
  const device = stranger();
  const { options } = (await device.post('/api/auth/passkey/options')).json();
  const credential = authenticator.get(options.challenge);
  expect(await statusOf(device.post('/api/auth/passkey', { credential }))).toBe(401);
  const recovery = { email, code: codes[0], newPassword: NEW_PASSWORD };
  expect(await statusOf(stranger().post('/api/auth/recover', recovery))).toBe(401);
  expect(await statusOf(club.as({ headers: token.headers }).get('/api/tracks'))).toBe(401);
}

describe('an account that somebody else made with a mail address', () => {
  test('makes no owner of a mail address of the settings, and opens nothing after the first proof by a link', async () => {
    const planted = await plant(CHIEF);
    const { attacker, userId, email } = planted;
    expect(await roleOf(attacker)).toBe('member');
    expect(await setAdministrator(club.db, email, true)).toBe(0);

    const chief = stranger();
    const token = await club.makeLink({ purpose: 'sign-in', userId, email });
    const signedIn = await chief.post('/api/auth/sign-in-link', { token });
    expect(signedIn.json()).toEqual({ signedIn: true, needsPassword: true });
    expect(await roleOf(chief)).toBe('owner');
    await expectNothingOpens(planted);

    // No other account can be made with the address while it has no password.
    const again = { firstName: 'Mallory', lastName: 'Again', email, password: PASSWORD };
    expect(await statusOf(stranger().post('/api/auth/register', again))).toBe(409);
    const refused = await stranger().put('/api/account/password', { newPassword: NEW_PASSWORD });
    expect(refused.statusCode).toBe(401);
    expect(await statusOf(chief.put('/api/account/password', { newPassword: NEW_PASSWORD }))).toBe(200);
    expect(await statusOf(stranger().signIn(email, NEW_PASSWORD))).toBe(200);
    await expectNothingOpens(planted);
  });

  test('opens nothing after a password that was reset by mail', async () => {
    const planted = await plant('reset@club.example');
    const { userId, email } = planted;
    const token = await club.makeLink({ purpose: 'reset', userId, email });
    const reset = await stranger().post('/api/auth/reset', { token, newPassword: NEW_PASSWORD });
    expect(reset.json()).toEqual({
      signedIn: true,
      ended: { apiTokens: 1, recoveryCodes: 10, linksMade: 0 },
      kept: { passkeys: 0, linkedIdentities: 0 },
    });
    await expectNothingOpens(planted);
  });

  test('is not confirmed by a click of its victim, only in a browser that is signed in to it', async () => {
    const planted = await plant('victim@club.example');
    const { attacker, userId, email, name } = planted;
    const token = await club.makeLink({ purpose: 'confirmation', userId, email });
    const victim = await club.join();
    const look = await victim.device.post('/api/auth/link', { kind: 'confirmation', token });
    expect(look.json()).toMatchObject({ email, name: `Mallory ${name}` });
    expect(await statusOf(stranger().post('/api/auth/confirmation', { token }))).toBe(401);
    const other = await victim.device.post('/api/auth/confirmation', { token });
    expect(other.statusCode).toBe(403);
    expect(other.json().message).toMatch(/for another account/);
    const [user] = await club.db.select().from(users).where(eq(users.id, userId));
    expect(user?.emailVerified).toBe(false);
    // The refusals have not used the link up.
    expect((await attacker.post('/api/auth/confirmation', { token })).json()).toEqual({
      confirmed: true,
      needsPassword: true,
    });
  });

  test('does not open by a password that is being checked while the mail address is proven', async () => {
    const planted = await plant('race@club.example');
    const { userId, email } = planted;
    const token = await club.makeLink({ purpose: 'sign-in', userId, email });
    const attackers = Array.from({ length: 6 }, stranger);
    const chief = stranger();
    await Promise.all([
      ...attackers.map((device) => device.signIn(email)),
      chief.post('/api/auth/sign-in-link', { token }),
    ]);
    expect(await chief.whoAmI()).toBe(200);
    for (const device of attackers) expect(await device.whoAmI()).toBe(401);
  });
});

const tokenOf = (answer: { json: () => { url: string } }) => new URL(answer.json().url).hash.slice(1);
const accept = (token: string) => {
  const account = { firstName: 'New', lastName: 'Member', password: PASSWORD };
  const email = `${token.toLowerCase().slice(0, 20)}@club.example`;
  return stranger().post('/api/auth/invitation', { token, ...account, email });
};
const setRole = (who: Member, role: string) =>
  owner.device.put(`/api/admin/users/${who.userId}/role`, { role });
const suspend = (who: Member) =>
  owner.device.put(`/api/admin/people/${who.userId}/suspension`, { isSuspended: true });
const links = async (who: Member) =>
  (await owner.device.get(`/api/admin/people/${who.userId}/links`)).json().links;

async function makeLinks(maker: Member, role: string, target: Member) {
  const invitation = await maker.device.post('/api/admin/invitations', { role, uses: 100, days: 30 });
  const reset = await maker.device.post(`/api/admin/people/${target.userId}/reset-link`);
  return { invitation: tokenOf(invitation), reset: tokenOf(reset) };
}

const countWaiting = async () =>
  (
    await club.database.pool
      .query(`SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
      WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`)
  ).rowCount;

describe('a link whose maker lost the right to make it', () => {
  test('is listed before a demotion, and void after it, also with the role again', async () => {
    const [second, target] = [await club.join({ role: 'owner' }), await club.join()];
    const made = await makeLinks(second, 'owner', target);
    expect(await links(second)).toEqual([
      expect.objectContaining({
        kind: 'reset',
        resetsPasswordOf: expect.stringContaining('Member'),
        role: null,
      }),
      expect.objectContaining({ kind: 'invitation', role: 'owner', usesLeft: 100 }),
    ]);
    expect(JSON.stringify(await links(second))).not.toContain(hashToken(made.invitation));
    expect(await statusOf(setRole(second, 'admin'))).toBe(200);
    expect(await links(second)).toEqual([]);
    for (const role of ['admin', 'owner']) {
      await setRole(second, role);
      expect(await statusOf(accept(made.invitation))).toBe(404);
      const reset = { token: made.reset, newPassword: NEW_PASSWORD };
      expect(await statusOf(stranger().post('/api/auth/reset', reset))).toBe(404);
    }
    expect(await target.device.whoAmI()).toBe(200);
  });

  test('is void after a suspension, and after a revocation at the terminal', async () => {
    const target = await club.join();
    for (const end of [
      (who: Member) => suspend(who),
      (who: Member) => setAdministrator(club.db, who.email, false),
    ]) {
      const admin = await club.join({ role: 'admin' });
      const made = await makeLinks(admin, 'moderator', target);
      await end(admin);
      expect(await statusOf(accept(made.invitation))).toBe(404);
      const reset = { token: made.reset, newPassword: NEW_PASSWORD };
      expect(await statusOf(stranger().post('/api/auth/reset', reset))).toBe(404);
    }
  });

  test('is checked when it is used, whatever took the right from its maker', async () => {
    const [admin, target] = [await club.join({ role: 'admin' }), await club.join()];
    const made = await makeLinks(admin, 'moderator', target);
    const reset = { token: made.reset, newPassword: NEW_PASSWORD };
    const { pool } = club.database;
    // The settings, or another version of the server, may change a role without an event.
    await pool.query("UPDATE users SET role = 'moderator' WHERE id = $1", [admin.userId]);
    const look = (kind: string, token: string) => stranger().post('/api/auth/link', { kind, token });
    expect(await statusOf(look('invitation', made.invitation))).toBe(404);
    expect(await statusOf(accept(made.invitation))).toBe(404);
    expect(await statusOf(stranger().post('/api/auth/reset', reset))).toBe(404);
    await pool.query("UPDATE users SET role = 'admin' WHERE id = $1", [admin.userId]);
    // An administrator does not set the password of somebody who has become one too.
    await pool.query("UPDATE users SET role = 'admin' WHERE id = $1", [target.userId]);
    expect(await statusOf(stranger().post('/api/auth/reset', reset))).toBe(404);
    await pool.query('UPDATE users SET suspended_at = now() WHERE id = $1', [admin.userId]);
    expect(await statusOf(accept(made.invitation))).toBe(404);
    await pool.query('UPDATE users SET suspended_at = NULL WHERE id = $1', [admin.userId]);
    // The refusals have used nothing up.
    expect(await statusOf(accept(made.invitation))).toBe(200);
  });

  test('is not made by a session that ends meanwhile', async () => {
    const [maker, target] = [await club.join({ role: 'owner' }), await club.join()];
    const client = await club.database.pool.connect();
    await client.query('BEGIN');
    await lockUsers(drizzle(client), [maker.userId]);
    const calls = [
      maker.device.post('/api/admin/invitations', { role: 'owner' }),
      maker.device.post(`/api/admin/people/${target.userId}/reset-link`),
    ];
    await expect.poll(countWaiting).toBe(2);
    await client.query('DELETE FROM sign_ins WHERE user_id = $1', [maker.userId]);
    await client.query('COMMIT');
    client.release();
    for (const call of calls) expect(await statusOf(call)).toBe(401);
    expect(await links(maker)).toEqual([]);
  });

  test('is not made by a person whose role is lowered meanwhile', async () => {
    const [maker, target] = [await club.join({ role: 'owner' }), await club.join()];
    const client = await club.database.pool.connect();
    await client.query('BEGIN');
    await client.query("UPDATE users SET role = 'admin' WHERE id = $1", [maker.userId]);
    await endByEvent(drizzle(client), 'roleLowered', { userId: maker.userId });
    const calls = [
      maker.device.post('/api/admin/invitations', { role: 'owner' }),
      maker.device.post(`/api/admin/people/${target.userId}/reset-link`),
    ];
    await expect.poll(countWaiting).toBe(2);
    await client.query('COMMIT');
    client.release();
    for (const call of calls) expect(await statusOf(call)).toBe(403);
    expect(await links(maker)).toEqual([]);
    // The lower role makes links of its own.
    expect(await statusOf(maker.device.post('/api/admin/invitations', { role: 'member' }))).toBe(200);
  });

  test('is listed for administrators only', async () => {
    const member = await club.join();
    const url = `/api/admin/people/${member.userId}/links`;
    expect(await statusOf(stranger().get(url))).toBe(401);
    expect(await statusOf(member.device.get(url))).toBe(403);
    expect(await statusOf(owner.device.get('/api/admin/people/no-id/links'))).toBe(400);
    const unknown = '/api/admin/people/00000000-0000-4000-8000-000000000000/links';
    expect(await statusOf(owner.device.get(unknown))).toBe(404);
  });
});

test('a person who is let in again gets no token and no session back', async () => {
  const member = await club.join();
  const { headers } = await insertApiToken(club.db, member.userId);
  const url = `/api/admin/people/${member.userId}/suspension`;
  await owner.device.put(url, { isSuspended: true });
  expect(await statusOf(club.as({ headers }).get('/api/tracks'))).toBe(401);
  await owner.device.put(url, { isSuspended: false });
  expect(await statusOf(club.as({ headers }).get('/api/tracks'))).toBe(401);
  expect(await member.device.whoAmI()).toBe(401);
  expect(await statusOf(stranger().signIn(member.email))).toBe(200);
});
