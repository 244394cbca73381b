import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '#contract/api.ts';
import { ageSignIns, insertSignedIn } from '../builders.ts';
import { type Device, type Member, useClubApp } from '../club-app.ts';
import { openStream } from '../open-stream.ts';

// A device was left signed in, or a stream of notices open. Every attack in this file was possible once.

const club = useClubApp();

const roleOf = async (device: Device) => (await device.get('/api/auth/user')).json().role;
const statusOf = async (answer: Promise<{ statusCode: number }>) => (await answer).statusCode;

describe('an old sign-in', () => {
  test('takes over nothing and deletes nothing: the role is refused before its age', async () => {
    const [boss, admin] = [await club.join({ role: 'owner' }), await club.join({ role: 'admin' })];
    const member = await club.join();
    for (const { userId } of [boss, admin, member]) await ageSignIns(club.db, userId);
    const role = `/api/admin/users/${member.userId}/role`;
    const suspension = `/api/admin/people/${member.userId}/suspension`;
    const webhook = '/api/admin/webhooks/00000000-0000-4000-8000-000000000000';
    const settings = { name: 'Club', timeZone: 'UTC', registration: 'open' };
    const hook = { url: 'https://hooks.example.org/', events: ['record_set'], format: 'pitboard' };
    const calls: [who: Member, answer: string, call: (device: Device) => ReturnType<Device['put']>][] = [
      [boss, 'confirmation_needed', (device) => device.put(role, { role: 'owner' })],
      [boss, 'confirmation_needed', (device) => device.post('/api/admin/invitations', { role: 'moderator' })],
      [boss, 'confirmation_needed', (device) => device.post('/api/admin/invitations', { role: 'admin' })],
      [boss, 'confirmation_needed', (device) => device.post('/api/admin/invitations', { role: 'owner' })],
      [boss, 'confirmation_needed', (device) => device.post(`/api/admin/people/${admin.userId}/reset-link`)],
      [boss, 'confirmation_needed', (device) => device.post('/api/admin/webhooks', hook)],
      [boss, 'confirmation_needed', (device) => device.put(suspension, { isSuspended: true })],
      [boss, 'confirmation_needed', (device) => device.put(webhook, { isOn: true })],
      [boss, 'confirmation_needed', (device) => device.delete(webhook)],
      [boss, 'confirmation_needed', (device) => device.delete('/api/admin/demo')],
      [boss, 'confirmation_needed', (device) => device.delete('/api/admin/tracks/none?laps=remove')],
      [boss, 'confirmation_needed', (device) => device.put('/api/admin/club', settings)],
      [boss, 'confirmation_needed', (device) => device.delete(`/api/admin/people/${member.userId}`)],
      [boss, 'confirmation_needed', (device) => device.delete('/api/admin/mail')],
      [
        boss,
        'confirmation_needed',
        (device) => device.post('/api/admin/backups/backup-20260101-000000-000/restore'),
      ],
      [member, 'confirmation_needed', (device) => device.send('DELETE', '/api/account', { name: 'User' })],
      [member, 'confirmation_needed', (device) => device.get('/api/account/export')],
      [admin, 'not_allowed', (device) => device.put(role, { role: 'owner' })],
      [admin, 'not_allowed', (device) => device.post('/api/admin/invitations', { role: 'owner' })],
      [admin, 'not_allowed', (device) => device.post(`/api/admin/people/${boss.userId}/reset-link`)],
      [admin, 'not_allowed', (device) => device.put('/api/admin/club', settings)],
      [admin, 'not_allowed', (device) => device.delete(`/api/admin/people/${boss.userId}`)],
      [admin, 'not_allowed', (device) => device.delete('/api/admin/mail')],
      [
        admin,
        'not_allowed',
        (device) => device.post('/api/admin/backups/backup-20260101-000000-000/restore'),
      ],
      [member, 'not_allowed', (device) => device.put(role, { role: 'owner' })],
      [member, 'not_allowed', (device) => device.post('/api/admin/webhooks', hook)],
    ];
    for (const [index, [{ device }, error, call]] of calls.entries()) {
      const response = await call(device);
      expect([response.statusCode, response.json().error], `call ${index}`).toEqual([403, error]);
    }
    // An invitation of a member takes over nothing.
    const invitation = await admin.device.post('/api/admin/invitations', { role: 'member' });
    expect(invitation.statusCode).toBe(200);
    expect(await roleOf(member.device)).toBe('member');
    expect(await statusOf(boss.device.delete('/api/admin/tracks/none'))).toBe(404);
  });

  test('is refused in every call of the table that needs a recent one, before the handler runs', async () => {
    const boss = await club.join({ role: 'owner' });
    const { userId } = await insertSignedIn(club.db);
    await ageSignIns(club.db, boss.userId);
    const without = ENDPOINTS.filter(
      ({ recentSignIn, body }) => recentSignIn !== undefined && typeof recentSignIn !== 'object' && !body,
    );
    expect(without.length).toBeGreaterThan(8);
    for (const { method, path } of without) {
      const url = path.replace(':userId', userId).replace(':name', 'backup-20260101-000000-000');
      const response = await boss.device.send(method, url.replaceAll(/:\w+/g, userId));
      expect([response.statusCode, response.json().error], path).toEqual([403, 'confirmation_needed']);
    }
  });

  test('owners are named by the table alone: an administrator is refused before the body is read', async () => {
    const admin = await club.join({ role: 'admin' });
    const owners = ENDPOINTS.filter(({ access }) => access === 'owner');
    expect(owners.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'DELETE /api/admin/mail',
      'DELETE /api/admin/refused-files/:fileId',
      'GET /api/admin/first-steps',
      'GET /api/admin/refused-files',
      'GET /api/admin/refused-files/:fileId/archive.zip',
      'POST /api/admin/backups/:name/restore',
      'POST /api/admin/mail/settings/test',
      'PUT /api/admin/club',
      'PUT /api/admin/first-steps',
      'PUT /api/admin/mail',
    ]);
    for (const { method, path } of owners) {
      const response = await admin.device.send(method, path, { nonsense: true });
      expect([response.statusCode, response.json().message]).toEqual([403, 'Only owners may do this.']);
      expect(await statusOf(club.openDevice().send(method, path, {}))).toBe(401);
    }
  });
});

test('a stream whose first count fails does not take one of the five of its user', async () => {
  const { cookies } = (await club.join()).device;
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const open = async () => await openStream(club.fastify, { headers: { cookie } });
  await club.database.pool.query('ALTER TABLE notices RENAME TO hidden_notices');
  try {
    for (let tries = 0; tries < 6; tries += 1) expect((await open()).statusCode).toBe(500);
  } finally {
    await club.database.pool.query('ALTER TABLE hidden_notices RENAME TO notices');
  }
  const stream = await open();
  expect(stream.statusCode).toBe(200);
  stream.close();
});
