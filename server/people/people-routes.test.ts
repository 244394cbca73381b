import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClubApp, type Member, PASSWORD, startClubApp } from '#server/testing/club-app.ts';

let club: ClubApp;
let owner: Member;
let admin: Member;
let member: Member;

beforeAll(async () => {
  club = await startClubApp();
  owner = await club.join({ role: 'owner' });
  admin = await club.join({ role: 'admin' });
  member = await club.join();
});
afterAll(() => club.close());

async function suspend(by: Member, who: Member, isSuspended = true): Promise<number> {
  const url = `/api/admin/people/${who.userId}/suspension`;
  return (await by.device.call('PUT', url, { isSuspended })).statusCode;
}

const link = (by: Member, who: Member) =>
  by.device.call('POST', `/api/admin/people/${who.userId}/reset-link`);

const invite = async (by: Member, role: string) =>
  (await by.device.call('POST', '/api/admin/invitations', { role })).statusCode;

const signInAs = (email: string) =>
  club.openDevice().call('POST', '/api/auth/password', { email, password: PASSWORD });

test('who is suspended is signed out everywhere and cannot sign in, until let in again', async () => {
  const driver = await club.join();
  expect(await suspend(admin, driver)).toBe(200);
  expect((await driver.device.call('GET', '/api/auth/user')).statusCode).toBe(401);
  expect((await signInAs(driver.email)).statusCode).not.toBe(200);
  expect(await suspend(admin, driver, false)).toBe(200);
  expect((await signInAs(driver.email)).statusCode).toBe(200);
});

test('members do nothing here; administrators act on members alone, owners on everybody but themselves', async () => {
  expect(await suspend(member, admin)).toBe(403);
  expect(await suspend(admin, owner)).toBe(403);
  expect(await suspend(admin, admin)).not.toBe(200);
  expect(await suspend(owner, owner)).toBe(409);
  expect((await owner.device.call('GET', '/api/auth/user')).statusCode).toBe(200);
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

test('the list is searched by name and address, and shows no address', async () => {
  const answer = await admin.device.call('GET', `/api/admin/people?q=${encodeURIComponent(member.email)}`);
  expect(answer.json()).toMatchObject({ total: 1, people: [{ id: member.userId, role: 'member' }] });
  expect(answer.body).not.toContain('@');
  expect((await member.device.call('GET', '/api/admin/people')).statusCode).toBe(403);
});
