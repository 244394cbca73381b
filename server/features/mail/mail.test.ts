import { eq } from 'drizzle-orm';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type UserId } from '#contract/ids.ts';
import { MAIL_KINDS } from '#contract/mail/labels.ts';
import { users } from '#server/model/people/schema.ts';
import { insertSession, insertTrack, insertUser } from '#server/testing/builders.ts';
import { CLUB_URL, PASSWORD, startClubApp, useClubApp } from '#server/testing/club-app.ts';
import { type MailServer, startMailServer } from '#server/testing/mail-server.ts';
import { signUnsubscribe } from '#server/model/mail/sign-unsubscribe.ts';

const FROM = 'Kart Club <laps@club.example>';
const OPEN_SERVER = { security: 'starttls', userName: '', password: 'none' };
const SECRET = 'a secret that only the tests know';

let server: MailServer;
const club = useClubApp(async () => {
  server = await startMailServer();
  return { settings: { mail: { smtpUrl: server.url, from: FROM } } };
});
const guest = club.asGuest();

afterAll(() => server.close());
afterEach(() => server.reset());

const readToken = (kind: string) =>
  new RegExp(`/login\\?link=${kind}#([\\w-]{43})`).exec(server.received.at(-1)?.body ?? '')?.[1] ?? '';
const unlockJobs = () =>
  club.database.pool.query('UPDATE graphile_worker._private_jobs SET run_at = now() WHERE attempts > 0');
const switchOn = (userId: UserId, emailVerified = true) =>
  club.db.update(users).set({ emailUpdates: true, emailVerified }).where(eq(users.id, userId));

/** Somebody who wants mail loses the record of a new track to Bo. */
async function loseRecord(userId: UserId, names: { driver?: string; track?: string } = {}): Promise<void> {
  const trackId = await insertTrack(club.db, { name: names.track ?? 'Aldertown' });
  const bo = await insertUser(club.db, { displayName: names.driver ?? 'Bo' });
  await insertSession(club.db, { trackId, userId, laps: [{ lapTimeMs: 60_000 }] });
  await insertSession(club.db, { trackId, userId: bo, laps: [{ lapTimeMs: 59_000 }] });
  await club.runJobs();
}

async function runDigests(): Promise<void> {
  await club.database.pool.query(`SELECT graphile_worker.add_job('add-digests', '{}')`);
  await club.runJobs();
}

/** Moves the last digests to the day before. */
const nextDay = () => club.database.pool.query(`UPDATE mail_digests SET day = day - 1`);

describe('links by mail', () => {
  test('a forgotten password is set again with a mail, and an unknown mail address gets the same answer and no mail', async () => {
    const { email } = await club.join();
    const device = club.openDevice();
    const known = await device.post('/api/auth/reset/mail', { email: email.toUpperCase() });
    const unknown = await device.post('/api/auth/reset/mail', { email: 'no-one@club.example' });
    expect([known.statusCode, known.json()]).toEqual([200, { sent: true }]);
    expect([unknown.statusCode, unknown.json()]).toEqual([known.statusCode, known.json()]);
    await club.runJobs();
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({ from: 'laps@club.example', to: [email] });
    expect(server.received[0]?.headers).toContain(`From: ${FROM}`);
    expect(server.received[0]?.headers).toContain('Subject: Choose a new password');
    expect(server.received[0]?.headers).toContain('Auto-Submitted: auto-generated');
    expect(server.received[0]?.headers).not.toContain('List-Unsubscribe');
    expect(server.received[0]?.body).toContain('Content-Type: text/plain; charset=utf-8');
    expect(server.received[0]?.body).toContain('Content-Type: text/html; charset=utf-8');
    const newPassword = 'nine laps in the pouring rain';
    const reset = { token: readToken('reset'), newPassword };
    expect((await device.post('/api/auth/reset', reset)).statusCode).toBe(200);
    expect((await device.post('/api/auth/reset', reset)).statusCode).toBe(404);
  });

  test('a link signs in once, and shows that the mail address is the own one', async () => {
    const { email, userId } = await club.join();
    await club.openDevice().post('/api/auth/sign-in-link/mail', { email });
    await club.runJobs();
    const token = readToken('sign-in');
    const device = club.openDevice();
    const look = await device.post('/api/auth/link', { kind: 'sign-in', token });
    expect(look.json()).toMatchObject({ email });
    expect((await device.post('/api/auth/sign-in-link', { token })).statusCode).toBe(200);
    expect((await device.get('/api/auth/user')).json()).toMatchObject({ id: userId });
    expect((await club.openDevice().post('/api/auth/sign-in-link', { token })).statusCode).toBe(404);
    const [user] = await club.db.select().from(users).where(eq(users.id, userId));
    expect(user?.emailVerified).toBe(true);
  });

  test('no link is for another purpose than its own', async () => {
    const { email } = await club.join();
    await club.openDevice().post('/api/auth/sign-in-link/mail', { email });
    await club.runJobs();
    const token = readToken('sign-in');
    const newPassword = PASSWORD;
    expect((await club.openDevice().post('/api/auth/reset', { token, newPassword })).statusCode).toBe(404);
    const { device } = await club.join();
    expect((await device.post('/api/auth/confirmation', { token })).statusCode).toBe(404);
  });

  test('five mails an hour go to one mail address, and the sixth call is answered like the others', async () => {
    const { email } = await club.join();
    const answers = [];
    for (let call = 0; call < 7; call += 1) {
      const device = club.openDevice({ address: `203.0.113.${20 + call}` });
      answers.push((await device.post('/api/auth/reset/mail', { email })).body);
    }
    await club.runJobs();
    expect(server.received).toHaveLength(5);
    expect(new Set(answers)).toEqual(new Set(['{"sent":true}']));
  });

  test('a text that is no mail address is refused, and so is a request to a server without mail', async () => {
    const device = club.openDevice();
    expect((await device.post('/api/auth/reset/mail', { email: 'a\r\nBcc: b@c.example' })).statusCode).toBe(
      400,
    );
    expect((await device.post('/api/auth/sign-in-link/mail', {})).statusCode).toBe(400);
    expect((await device.post('/api/auth/sign-in-link', { token: 'short' })).statusCode).toBe(400);
    expect((await device.post('/api/auth/confirmation', {})).statusCode).toBe(401);
    const member = await club.join();
    expect((await member.device.post('/api/auth/confirmation', {})).statusCode).toBe(400);
    const without = await startClubApp({ database: club.database });
    const call = await without.openDevice().post('/api/auth/reset/mail', { email: 'a@club.example' });
    expect(call.statusCode).toBe(409);
  });
});

describe('daily digest', () => {
  test('goes once a day to a driver who wants it, with what is new, and never says a thing twice', async () => {
    const { userId, email } = await club.join();
    await loseRecord(userId);
    await runDigests();
    expect(server.received).toEqual([]); // not switched on
    await switchOn(userId);
    await runDigests();
    await runDigests();
    expect(server.received.map(({ to }) => to)).toEqual([[email]]);
    expect(server.received[0]?.headers).toContain(
      'Subject: Bo took the record at Aldertown from you by 1.00 s.',
    );
    expect(server.received[0]?.body).toMatch(/- Bo took the record .*\s+https:\/\/laps\.example\/track\//);

    await nextDay();
    await runDigests();
    expect(server.received).toHaveLength(1); // nothing to say
    await loseRecord(userId);
    await loseRecord(userId);
    await runDigests();
    expect(server.received).toHaveLength(2);
    expect(server.received[1]?.headers).toContain('Subject: 2 new notices');
  });

  test('leaves out the kinds that the driver wants in no mail, which are notices all the same', async () => {
    const driver = await club.join();
    await switchOn(driver.userId);
    const mute = async (settings: object) =>
      (await driver.device.put('/api/notices/settings', settings)).json();
    const settings = { muted: [], mutedInMail: ['record_lost'] };
    expect(await mute(settings)).toEqual(settings);
    await loseRecord(driver.userId);
    await runDigests();
    expect(server.received).toEqual([]);
    expect((await driver.device.get('/api/notices')).json()).toMatchObject({ unread: 1 });
    // A client that knows of no mail leaves it as it is.
    expect(await mute({ muted: ['new_rival'] })).toEqual({ ...settings, muted: ['new_rival'] });
    await mute({ muted: [], mutedInMail: [] });
    await runDigests();
    expect(server.received).toHaveLength(1);
  });

  test('two copies of the server that add digests at once send one', async () => {
    const { userId } = await club.join();
    await switchOn(userId);
    await loseRecord(userId);
    const add = `SELECT graphile_worker.add_job('add-digests', '{}')`;
    await Promise.all([club.database.pool.query(add), club.database.pool.query(add)]);
    await Promise.all([club.runJobs(), club.runJobs()]);
    expect(server.received).toHaveLength(1);
  });

  test('goes to no mail address that was never confirmed; switching the mails on asks for that', async () => {
    const { userId, device, email } = await club.join();
    const on = { emailUpdates: true };
    expect((await device.patch('/api/auth/user/preferences', on)).statusCode).toBe(200);
    await loseRecord(userId);
    await runDigests();
    expect(server.received.map(({ headers }) => /^Subject: (.*)$/m.exec(headers)?.[1])).toEqual([
      'Confirm your address',
    ]);
    expect(server.received[0]?.to).toEqual([email]);
    const confirmed = await device.post('/api/auth/confirmation', {
      token: readToken('confirmation'),
    });
    expect(confirmed.json()).toEqual({ confirmed: true, needsPassword: true });
    await runDigests();
    const subjects = server.received.map(({ headers }) => /^Subject: (.*)$/m.exec(headers)?.[1]);
    expect(subjects).toHaveLength(3);
    expect(subjects).toContain('2 new notices');
  });

  test('names cannot add headers or HTML to it', async () => {
    const { userId } = await club.join();
    await switchOn(userId);
    await loseRecord(userId, { driver: 'Eve\r\nBcc: victim@club.example\r\n\r\n<script>alert(1)</script>' });
    await runDigests();
    expect(server.received).toHaveLength(1);
    expect(server.received[0]?.to).toHaveLength(1);
    expect(server.received[0]?.headers).not.toMatch(/^Bcc:/m);
    expect(server.received[0]?.body).toContain('&lt;script&gt;');
    expect(server.received[0]?.body.split('Content-Type: text/html')[1]).not.toContain('<script>');
  });

  test('a mail program unsubscribes with one request without a sign-in, and looking at the page changes nothing', async () => {
    const { userId } = await club.join();
    await switchOn(userId);
    await loseRecord(userId);
    await runDigests();
    const header =
      /^List-Unsubscribe: <([^>]+)>/m.exec(server.received[0]?.headers.replaceAll('\r\n ', ' ') ?? '')?.[1] ??
      '';
    expect(header).toMatch(/^https:\/\/laps\.example\/api\/mail\/unsubscribe\?token=/);
    expect(server.received[0]?.headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const url = header.slice(CLUB_URL.length);
    const wants = async () =>
      (await club.db.select().from(users).where(eq(users.id, userId)))[0]?.emailUpdates;
    const page = await guest.get(url);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('<form method="post"');
    expect(await wants()).toBe(true);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const payload = 'List-Unsubscribe=One-Click';
    const forged = url.replace(/token=.{8}/, 'token=00000000');
    expect((await guest.post(forged, payload, headers)).statusCode).toBe(400);
    const broken = await guest.get(forged);
    expect([broken.statusCode, broken.body.includes('not whole')]).toEqual([400, true]);
    expect((await guest.post('/api/mail/unsubscribe')).statusCode).toBe(400);
    const ofAnother = signUnsubscribe('another secret', userId);
    const forgedUrl = `/api/mail/unsubscribe?token=${ofAnother}`;
    expect((await guest.post(forgedUrl, payload, headers)).statusCode).toBe(400);
    expect(await wants()).toBe(true);
    const posted = await guest.post(url, payload, headers);
    expect([posted.statusCode, await wants()]).toEqual([200, false]);
    expect(posted.body).toContain('You are unsubscribed');
    expect(signUnsubscribe(SECRET, userId)).toBe(new URL(header).searchParams.get('token'));
  });

  test('is not sent to who switched it off or was suspended after it was added', async () => {
    const [one, other] = [await club.join(), await club.join()];
    for (const { userId } of [one, other]) {
      await switchOn(userId);
      await loseRecord(userId);
    }
    server.refuse(451);
    await runDigests();
    server.refuse(null);
    await club.db.update(users).set({ emailUpdates: false }).where(eq(users.id, one.userId));
    await club.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, other.userId));
    await unlockJobs();
    await club.runJobs();
    expect(server.received).toEqual([]);
  });
});

test('a mail that the server does not take is tried again and not lost; one that it refuses for good is given up', async () => {
  const { email } = await club.join();
  server.refuse(451);
  await club.openDevice().post('/api/auth/reset/mail', { email });
  await club.runJobs();
  const jobs = () =>
    club.database.pool.query(`SELECT attempts FROM graphile_worker.jobs WHERE task_identifier = 'send-mail'`);
  expect((await jobs()).rows).toEqual([{ attempts: 1 }]);
  server.refuse(null);
  await unlockJobs();
  await club.runJobs();
  expect([server.received.length, (await jobs()).rows]).toEqual([1, []]);

  server.refuse(550);
  await club.openDevice().post('/api/auth/reset/mail', { email });
  await club.runJobs();
  expect([server.received.length, (await jobs()).rows]).toEqual([1, []]);
});

describe('administrators', () => {
  test('see whether mail is set and what each mail looks like, and send themselves a test', async () => {
    const { device, email } = await club.join({ role: 'admin' });
    expect((await device.get('/api/admin/mail')).json()).toEqual({
      mail: { from: FROM, host: '127.0.0.1', port: server.port, ...OPEN_SERVER },
      isFixed: true,
    });
    for (const kind of MAIL_KINDS) {
      const preview = await device.get(`/api/admin/mail/previews/${kind}`);
      expect(preview.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(preview.headers['content-security-policy']).toContain("default-src 'none'");
      expect(preview.body).toContain('<h1>');
      const text = await device.get(`/api/admin/mail/previews/${kind}?part=text`);
      expect(text.headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(text.body).toContain('-- \nPitboard');
    }
    expect((await device.get('/api/admin/mail/previews/poem')).statusCode).toBe(400);
    expect((await device.post('/api/admin/mail/test')).json()).toEqual({ sentTo: email });
    expect(server.received[0]).toMatchObject({ to: [email] });
    server.refuse(451);
    const failed = await device.post('/api/admin/mail/test');
    expect(failed.statusCode).toBe(503);
    expect(failed.json().message).toContain('Not now.');
  });

  test('alone see and send any of it', async () => {
    const { device } = await club.join({ role: 'moderator' });
    for (const [method, url] of [
      ['GET', '/api/admin/mail'],
      ['GET', '/api/admin/mail/previews/digest'],
      ['POST', '/api/admin/mail/test'],
    ] as const) {
      expect((await device.send(method, url)).statusCode).toBe(403);
      expect((await club.openDevice().send(method, url)).statusCode).toBe(401);
    }
  });
});
