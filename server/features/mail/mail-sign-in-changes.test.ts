import { afterAll, afterEach, expect, test } from 'vitest';
import { recordSignInChange } from '#server/model/people/record-sign-in-change.ts';
import { openAuthenticator } from '#server/testing/authenticator.ts';
import { CLUB_URL, type Device, PASSWORD, useClubApp } from '#server/testing/club-app.ts';
import { type MailServer, startMailServer } from '#server/testing/mail-server.ts';

// docs/authentication.md names the rule of OWASP ASVS that each test holds.

let server: MailServer;
const club = useClubApp(async () => {
  server = await startMailServer();
  return { settings: { mail: { smtpUrl: server.url, from: 'laps@club.example' } } };
});

afterAll(() => server.close());
afterEach(() => server.reset());

const readSubjects = () => server.received.map(({ headers }) => /^Subject: (.+)$/m.exec(headers)?.[1]);

async function listActions(userId: string): Promise<string[]> {
  const { rows } = await club.database.pool.query<{ action: string }>(
    'SELECT action FROM audit_log WHERE user_id = $1 ORDER BY at',
    [userId],
  );
  return rows.map(({ action }) => action);
}

test('a changed sign-in is mailed to the mail address of the account, with Email Updates off too, at most ten times an hour', async () => {
  const { device, email, userId } = await club.join();
  const change = (currentPassword: string, newPassword: string) =>
    device.put('/api/account/password', { currentPassword, newPassword });
  const newPassword = 'nine laps in the pouring rain';
  expect((await change('this is not the password', newPassword)).statusCode).toBe(400);
  await club.runJobs();
  expect(server.received).toEqual([]);
  expect((await change(PASSWORD, newPassword)).statusCode).toBe(200);
  await club.runJobs();
  expect(server.received).toMatchObject([{ to: [email] }]);
  expect(readSubjects()).toEqual(['Your password was changed.']);
  expect(server.received[0]?.body).toContain('If this was not you');
  for (let at = 0; at < 12; at += 1)
    await club.db.transaction((tx) => recordSignInChange(tx, userId, 'make-recovery-codes'));
  await club.runJobs();
  expect(server.received).toHaveLength(10);
});

async function addPasskey(device: Device): Promise<{ statusCode: number }> {
  const options = (await device.post('/api/account/passkeys/options')).json();
  const credential = openAuthenticator(CLUB_URL).create(options.options.challenge);
  return await device.post('/api/account/passkeys', { name: 'Phone', credential });
}

test('a passkey is added, renamed and removed by its owner, who hears by mail of the first and the last', async () => {
  const { device, userId } = await club.join();
  const stranger = await club.join();
  await addPasskey(device);
  const list = async () => (await device.get('/api/account/credentials')).json().passkeys;
  const [{ id }] = await list();
  const url = `/api/account/passkeys/${id}`;
  for (const [who, body, status] of [
    [club.openDevice(), { name: 'Laptop' }, 401],
    [stranger.device, { name: 'Laptop' }, 403],
    [device, { name: ' ' }, 400],
    [device, { name: 'x'.repeat(1_000) }, 400],
    [device, { name: 'Laptop' }, 200],
  ] as const)
    expect((await who.put(url, body)).statusCode).toBe(status);
  expect(await list()).toMatchObject([{ id, name: 'Laptop' }]);
  expect((await stranger.device.delete(url)).statusCode).toBe(403);
  expect((await device.delete(url)).statusCode).toBe(200);
  expect((await device.delete(url)).statusCode).toBe(404);
  expect(await list()).toEqual([]);
  expect(await listActions(userId)).toEqual(['accept-invitation', 'add-passkey', 'remove-passkey']);
  await club.runJobs();
  expect(readSubjects()).toEqual([
    'A passkey was added to your account.',
    'A passkey was removed from your account.',
  ]);
});

test('a passkey that is refused leaves no word in the log, and sends no mail', async () => {
  const { device, userId } = await club.join();
  const credential = openAuthenticator(CLUB_URL).create('a challenge that was made up');
  const refused = await device.post('/api/account/passkeys', { name: 'Phone', credential });
  expect(refused.statusCode).toBe(400);
  await club.runJobs();
  expect(await listActions(userId)).toEqual(['accept-invitation']);
  expect(server.received).toEqual([]);
});
