import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { afterAll, afterEach, expect, test } from 'vitest';
import { endByEvent } from '#server/model/people/ending-store.ts';
import { users } from '#server/model/people/schema.ts';
import { PASSWORD, useClubApp } from '#server/testing/club-app.ts';
import { type MailServer, startMailServer } from '#server/testing/mail-server.ts';

let server: MailServer;
const club = useClubApp(async () => {
  server = await startMailServer();
  return { settings: { mail: { smtpUrl: server.url, from: 'Kart Club <laps@club.example>' } } };
});

afterAll(() => server.close());
afterEach(() => server.reset());

const readToken = (kind: string) =>
  new RegExp(`/login\\?link=${kind}#([\\w-]{43})`).exec(server.received.at(-1)?.body ?? '')?.[1] ?? '';

test('an invitation is mailed to the one mail address that it is for, and proves it; the link that is shown does not', async () => {
  const admin = await club.join({ role: 'admin' });
  const email = 'guest@club.example';
  const invite = await admin.device.post('/api/admin/invitations', { role: 'member', email });
  expect(invite.statusCode).toBe(200);
  await club.runJobs();
  expect(server.received.map(({ to }) => to)).toEqual([[email]]);
  const token = readToken('invitation');
  expect(invite.json().url).not.toContain(token);
  const names = { firstName: 'Gus', lastName: 'Guest', password: PASSWORD };
  const other = { token, ...names, email: 'other@club.example' };
  expect((await club.openDevice().post('/api/auth/invitation', other)).statusCode).toBe(400);
  const device = club.openDevice();
  expect((await device.post('/api/auth/invitation', { token, ...names, email })).statusCode).toBe(200);
  const [user] = await club.db.select().from(users).where(eq(users.email, email));
  expect(user?.emailVerified).toBe(true);
});

test('an invitation is not mailed, and no link stored, where its maker loses the role at that moment', async () => {
  const admin = await club.join({ role: 'admin' });
  const body = { role: 'member', email: 'late@club.example' };
  expect((await admin.device.post('/api/admin/invitations', body)).statusCode).toBe(200);
  const { pool } = club.database;
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query("UPDATE users SET role = 'member' WHERE id = $1", [admin.userId]);
  await endByEvent(drizzle(client), 'roleLowered', { userId: admin.userId });
  const jobs = club.runJobs();
  const waiting = `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`;
  await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
  await client.query('COMMIT');
  client.release();
  await jobs;
  expect(server.received).toEqual([]);
  const made = await pool.query('SELECT FROM one_time_tokens WHERE created_by = $1', [admin.userId]);
  expect(made.rowCount).toBe(0);
});
