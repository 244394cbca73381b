import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { setAdministrator } from '#server/model/people/role-store.ts';
import type { Person } from '#contract/people/administration.ts';
import { ageSignIns, insertSession, insertSignedIn, insertTrack } from '#server/testing/builders.ts';
import { type Member, PASSWORD, useClubApp } from '#server/testing/club-app.ts';

const club = useClubApp();
let owner: Member;
let admin: Member;
let member: Member;

beforeAll(async () => {
  owner = await club.join({ role: 'owner' });
  admin = await club.join({ role: 'admin' });
  member = await club.join();
});

async function suspend(by: Member, who: Member, isSuspended = true): Promise<number> {
  const url = `/api/admin/people/${who.userId}/suspension`;
  return (await by.device.put(url, { isSuspended })).statusCode;
}

const link = (by: Member, who: Member) => by.device.post(`/api/admin/people/${who.userId}/reset-link`);

const invite = async (by: Member, role: string) =>
  (await by.device.post('/api/admin/invitations', { role })).statusCode;

const remove = async (by: Member, who: Member) =>
  (await by.device.delete(`/api/admin/people/${who.userId}`)).statusCode;

const withdraw = (by: Member, id: string) => by.device.delete(`/api/admin/invitations/${id}`);

const changeClub = async (by: Member, body: object) =>
  (await by.device.put('/api/admin/club', body)).statusCode;

test('suspended people are signed out everywhere and cannot sign in, until the suspension ends', async () => {
  const driver = await club.join();
  expect(await suspend(admin, driver)).toBe(200);
  expect(await driver.device.whoAmI()).toBe(401);
  expect((await club.openDevice().signIn(driver.email)).statusCode).not.toBe(200);
  expect(await suspend(admin, driver, false)).toBe(200);
  expect((await club.openDevice().signIn(driver.email)).statusCode).toBe(200);
});

test('members do nothing here; administrators act on members alone, owners on everybody but themselves', async () => {
  expect(await suspend(member, admin)).toBe(403);
  expect(await suspend(admin, owner)).toBe(403);
  expect(await suspend(admin, admin)).not.toBe(200);
  expect(await suspend(owner, owner)).toBe(409);
  expect(await owner.device.whoAmI()).toBe(200);
  expect((await link(member, admin)).statusCode).toBe(403);
  expect((await link(admin, owner)).statusCode).toBe(403);
  expect((await link(owner, admin)).statusCode).toBe(200);
});

test('administrators invite members and moderators; only owners invite administrators and owners', async () => {
  expect(await invite(member, 'member')).toBe(403);
  expect(await invite(admin, 'moderator')).toBe(200);
  expect(await invite(admin, 'admin')).toBe(403);
  expect(await invite(admin, 'owner')).toBe(403);
  expect(await invite(owner, 'owner')).toBe(200);
});

test('the list is searched by name and mail address, and shows no mail address', async () => {
  const answer = await admin.device.get(`/api/admin/people?q=${encodeURIComponent(member.email)}`);
  expect(answer.json()).toMatchObject({ total: 1, people: [{ id: member.userId, role: 'member' }] });
  expect(answer.body).not.toContain('@');
  expect((await member.device.get('/api/admin/people')).statusCode).toBe(403);
});

test('people are listed seen last first, with their laps and what keeps their role as it is', async () => {
  const driver = await club.join();
  const { db } = club.database;
  const trackId = await insertTrack(db);
  await insertSession(db, { trackId, userId: driver.userId, laps: [{ lapTimeMs: 61_000 }] });
  const absent = await insertSignedIn(db);
  await db.execute(sql`DELETE FROM sign_ins WHERE user_id = ${absent.userId}`);
  const list = async (): Promise<Person[]> =>
    (await owner.device.get('/api/admin/people?limit=200')).json().people;
  const people = await list();
  const find = (userId: string) => people.find(({ id }) => id === userId);
  expect(find(driver.userId)).toMatchObject({ lapCount: 1, isRoleFixed: false, isLastOwner: false });
  expect(find(owner.userId)).toMatchObject({ isRoleFixed: true, isLastOwner: true });
  expect(people.at(-1)?.lastSeenAt).toBeNull();
  const seen = people.flatMap(({ lastSeenAt }) => lastSeenAt ?? []);
  expect(seen).toEqual(seen.toSorted().toReversed());
  const second = await club.join({ role: 'owner' });
  expect((await list()).find(({ id }) => id === owner.userId)).toMatchObject({ isRoleFixed: false });
  expect(
    (await owner.device.put(`/api/admin/users/${second.userId}/role`, { role: 'member' })).statusCode,
  ).toBe(200);
});

test('an account is removed with its laps, by those who may manage it, and never the last owner or oneself', async () => {
  const driver = await club.join();
  const { db, pool } = club.database;
  const trackId = await insertTrack(db);
  await insertSession(db, { trackId, userId: driver.userId, laps: [{ lapTimeMs: 61_000 }] });
  expect(await remove(member, driver)).toBe(403);
  expect(await remove(admin, owner)).toBe(403);
  expect(await remove(owner, owner)).toBe(409);
  expect(await remove(admin, driver)).toBe(200);
  expect(await remove(admin, driver)).toBe(404);
  expect(await driver.device.whoAmI()).toBe(401);
  expect((await club.openDevice().signIn(driver.email)).statusCode).toBe(401);
  expect((await admin.device.get(`/api/laps/track/${trackId}/best`)).json()).toEqual([]);
  const { rows } = await pool.query('SELECT user_id, action FROM audit_log WHERE subject = $1 ORDER BY at', [
    driver.userId,
  ]);
  expect(rows.at(-1)).toEqual({ user_id: admin.userId, action: 'remove-user' });
});

test('open invitations are listed without their links, and withdrawn', async () => {
  const made = (await admin.device.post('/api/admin/invitations', { role: 'moderator', uses: 3 })).json();
  await invite(owner, 'owner');
  const list = await admin.device.get('/api/admin/invitations');
  const { invitations } = list.json();
  const token = new URL(made.url).hash.slice(1);
  expect(list.body).not.toContain(token);
  const find = (role: string, usesLeft: number) =>
    invitations.find(
      (one: { role: string; usesLeft: number }) => one.role === role && one.usesLeft === usesLeft,
    );
  const mine = find('moderator', 3);
  expect(mine).toMatchObject({ createdBy: expect.stringContaining('Member') });
  expect((await withdraw(member, mine.id)).statusCode).toBe(403);
  expect((await withdraw(admin, find('owner', 1).id)).statusCode).toBe(403);
  expect((await withdraw(admin, mine.id)).statusCode).toBe(200);
  expect((await withdraw(admin, mine.id)).statusCode).toBe(404);
  const look = { kind: 'invitation', token };
  expect((await club.openDevice().post('/api/auth/link', look)).statusCode).toBe(404);
});

test('a sign-in of somebody who administers ends after twelve hours, that of a member does not', async () => {
  const [boss, driver] = [await club.join({ role: 'admin' }), await club.join()];
  for (const { userId } of [boss, driver]) await ageSignIns(club.db, userId, 721);
  expect(await boss.device.whoAmI()).toBe(401);
  expect(await driver.device.whoAmI()).toBe(200);
  await boss.device.signIn(boss.email);
  expect((await boss.device.get('/api/admin/people')).statusCode).toBe(200);
});

test('the last owner cannot be dismissed at the terminal', async () => {
  const { db } = club.database;
  await expect(setAdministrator(db, owner.email, false)).rejects.toThrow('This is the last owner.');
  expect((await owner.device.get('/api/auth/user')).json()).toMatchObject({ isAdmin: true });
  expect(await setAdministrator(db, (await club.join({ role: 'admin' })).email, false)).toBe(1);
});

test('owners alone change the club; open registration lets anybody in, ten times an hour from one address', async () => {
  const settings = { name: 'Kart Club Nord', timeZone: 'Europe/Vienna', registration: 'open' };
  const stranger = club.openDevice({ address: '198.51.100.9' });
  const register = async (email: string) => {
    const account = { firstName: 'New', lastName: 'Driver', email, password: PASSWORD };
    return (await stranger.post('/api/auth/register', account)).statusCode;
  };
  expect(await register('early@club.example')).toBe(403);
  expect(await changeClub(admin, settings)).toBe(403);
  expect(await changeClub(owner, { ...settings, timeZone: 'Nowhere/None' })).toBe(400);
  expect(await changeClub(owner, settings)).toBe(200);
  expect((await admin.device.get('/api/admin/club')).json()).toEqual({
    club: { ...settings, hasSimulatorBoards: false, hasSamples: true },
    fixedRegistration: null,
  });
  expect(await register('new@club.example')).toBe(200);
  expect((await stranger.get('/api/auth/user')).json()).toMatchObject({ isAdmin: false });
  expect(await register('new@club.example')).toBe(409);
  for (let attempt = 3; attempt <= 10; attempt += 1) await register('new@club.example');
  expect(await register('late@club.example')).toBe(429);
  expect(await changeClub(owner, { ...settings, registration: 'closed' })).toBe(200);
  expect(await register('closed@club.example')).toBe(403);
});
