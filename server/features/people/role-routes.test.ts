import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import type { Role } from '#contract/people/labels.ts';
import { setAdministrator } from '#server/model/people/role-store.ts';
import { auditLog } from '#server/model/audit/schema.ts';
import { users } from '#server/model/people/schema.ts';
import { insertSignedIn, insertUser, type SignedIn } from '#server/testing/builders.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { leave } from '#server/testing/leave.ts';

const BOSS = 'boss@pitboard.example';

const app = useTestApp({ settings: { adminEmails: [BOSS] } });

// The last owner of one test would not be the last in another.
beforeEach(() => app.db.delete(users));

async function setRole(person: SignedIn | null, userId: string, role: unknown) {
  const response = await app.as(person).put(`/api/admin/users/${userId}/role`, { role });
  return response.statusCode;
}

const current = async (who: SignedIn) => (await app.as(who).get('/api/auth/user')).json();
const statusOf = async (url: string, who: SignedIn) => (await app.as(who).get(url)).statusCode;
const as = (role: Role) => insertSignedIn(app.db, { role });

test('an owner makes an administrator, who makes a moderator; each may do what the role says, at once', async () => {
  const [owner, second, third] = [await as('owner'), await as('member'), await as('member')];
  expect(await setRole(owner, second.userId, 'admin')).toBe(200);
  expect(await current(second)).toMatchObject({ role: 'admin', isAdmin: true });
  expect(await setRole(second, third.userId, 'moderator')).toBe(200);
  expect(await current(third)).toMatchObject({ role: 'moderator', isAdmin: false });
  expect(await current(owner)).toMatchObject({ role: 'owner', isAdmin: true });

  expect(await statusOf('/api/admin/flagged-laps', third)).toBe(200);
  for (const url of ['/api/admin/audit-log', '/api/admin/tracks', '/api/admin/jobs'])
    expect(await statusOf(url, third), url).toBe(403);
  expect(await setRole(third, third.userId, 'admin')).toBe(403);

  expect(await setRole(second, third.userId, 'member')).toBe(200);
  expect(await statusOf('/api/admin/flagged-laps', third)).toBe(403);
  const entries = await app.db.select().from(auditLog).where(eq(auditLog.subject, third.userId));
  expect(entries).toHaveLength(2);
  expect(entries).toContainEqual(
    expect.objectContaining({
      userId: second.userId,
      action: 'change-role',
      changes: { role: ['member', 'moderator'] },
    }),
  );
});

test('only owners make and unmake administrators and owners', async () => {
  const [owner, admin, other] = [await as('owner'), await as('admin'), await as('admin')];
  const member = await as('member');
  expect(await setRole(admin, member.userId, 'admin')).toBe(403);
  expect(await setRole(admin, admin.userId, 'owner')).toBe(403);
  expect(await setRole(admin, other.userId, 'moderator')).toBe(403);
  expect(await setRole(admin, owner.userId, 'member')).toBe(403);
  expect(await setRole(owner, other.userId, 'owner')).toBe(200);
  expect(await setRole(other, owner.userId, 'member')).toBe(200);
  expect(await current(owner)).toMatchObject({ role: 'member', isAdmin: false });
});

test('only owners give roles, and unknown roles are refused', async () => {
  const [owner, member] = [await as('owner'), await as('member')];
  expect(await setRole(null, member.userId, 'admin')).toBe(401);
  expect(await setRole(member, member.userId, 'admin')).toBe(403);
  expect(await setRole(owner, member.userId, 'king')).toBe(400);
  expect(await setRole(owner, 'no-id', 'admin')).toBe(400);
  expect(await setRole(owner, '00000000-0000-4000-8000-000000000000', 'admin')).toBe(404);
  expect(await current(member)).toMatchObject({ role: 'member' });
});

test('the last owner can neither be demoted nor remove the account, even when two owners unmake each other at once', async () => {
  const [one, two] = [await as('owner'), await as('owner')];
  const statuses = await Promise.all([
    setRole(one, two.userId, 'member'),
    setRole(two, one.userId, 'member'),
  ]);
  // The slower call comes from a member by then, or finds the last owner.
  expect([
    [200, 403],
    [200, 409],
  ]).toContainEqual(statuses.toSorted((a, b) => a - b));
  const last = (await current(one)).role === 'owner' ? one : two;
  expect(await setRole(last, last.userId, 'admin')).toBe(409);
  const removal = () => leave(app, last);
  expect((await removal()).statusCode).toBe(409);
  expect(await current(last)).toMatchObject({ role: 'owner' });
  expect(await setRole(last, (last === one ? two : one).userId, 'owner')).toBe(200);
  expect((await removal()).statusCode).toBe(200);
});

test('a verified mail address of the settings is an owner, and cannot be locked out', async () => {
  const boss = await insertSignedIn(app.db, { email: BOSS, emailVerified: true });
  expect(await current(boss)).toMatchObject({ role: 'owner', isAdmin: true });
  const [owner, admin] = [await as('owner'), await as('admin')];
  expect(await setRole(owner, boss.userId, 'member')).toBe(409);
  expect(await setRole(admin, boss.userId, 'moderator')).toBe(403);
  expect(await setRole(boss, owner.userId, 'owner')).toBe(200);
});

async function grant(email: string): Promise<Role | undefined> {
  const userId = await insertUser(app.db, { email, emailVerified: true });
  await setAdministrator(app.db, email, true);
  await setAdministrator(app.db, email, true);
  return (await app.db.select({ role: users.role }).from(users).where(eq(users.id, userId)))[0]?.role;
}

test('the first administrator by command is an owner, the next ones are not', async () => {
  expect([await grant('first@club.example'), await grant('second@club.example')]).toEqual(['owner', 'admin']);
});
