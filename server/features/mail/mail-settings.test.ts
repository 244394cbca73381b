import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type ClubApp,
  type Device,
  type Member,
  PASSWORD,
  startClubApp,
  useClubApp,
} from '#server/testing/club-app.ts';
import { ageSignIns } from '#server/testing/builders.ts';
import { type MailServer, startMailServer } from '#server/testing/mail-server.ts';

const ACCOUNT = { user: 'laps@club.example', password: 'a secret of the mail server' };
const FROM = 'Kart Club <laps@club.example>';
const OTHER_SECRET = 'another secret of at least 32 characters';

const club = useClubApp();
let server: MailServer;
let owner: Member;

beforeAll(async () => {
  server = await startMailServer({ account: ACCOUNT, sender: 'laps@club.example' });
  owner = await club.join({ role: 'owner' });
});
afterAll(() => server.close());
afterEach(async () => {
  server.reset();
  await club.database.pool.query('DELETE FROM mail_settings');
  await deleteCallCounts();
});

/** Resets the limit of calls in a minute. */
const deleteCallCounts = () => club.database.pool.query('DELETE FROM call_counts');
const typed = (given: object = {}) => ({
  host: '127.0.0.1',
  port: server.port,
  security: 'none',
  userName: ACCOUNT.user,
  password: ACCOUNT.password,
  from: FROM,
  ...given,
});
const withoutPassword = (given: object = {}) => typed({ password: undefined, ...given });
const save = (given?: object, device: Device = owner.device) => device.put('/api/admin/mail', typed(given));
const tryOut = (given?: object) => owner.device.post('/api/admin/mail/settings/test', typed(given));
const status = async (device: Device = owner.device) => (await device.get('/api/admin/mail')).json();
const readStored = async () =>
  (await club.database.pool.query<{ sealed_password: string }>('SELECT * FROM mail_settings')).rows;
const listEntries = async (action: string) =>
  (await owner.device.get(`/api/admin/audit-log?action=${action}`)).json().entries;
const unlockJobs = () =>
  club.database.pool.query('UPDATE graphile_worker._private_jobs SET run_at = now() WHERE attempts > 0');

/** Makes the sign-in of the owner old for as long as `work` takes. */
async function whileOld(work: () => Promise<void>): Promise<void> {
  await ageSignIns(club.db, owner.userId);
  await work();
  await ageSignIns(club.db, owner.userId, 0);
}

/** The browser of the owner at another server. */
function openOwnerAt(app: ClubApp): Device {
  const device = app.openDevice();
  for (const [name, value] of owner.device.cookies) device.cookies.set(name, value);
  return device;
}

const sendsMail = async (app: ClubApp) =>
  (await app.openDevice().get('/api/auth/sign-in-methods')).json().sendsMail;

describe('the mail server that an owner enters', () => {
  test('holds at once for the other copies, for the sign-in page and for mails that are asked for', async () => {
    const other = await startClubApp({ database: club.database });
    const { email } = await club.join();
    const ask = (device: Device) => device.post('/api/auth/reset/mail', { email });
    expect([await sendsMail(other), (await ask(other.openDevice())).statusCode]).toEqual([false, 409]);
    expect(await status()).toEqual({ mail: null, isFixed: false });

    const saved = await save();
    const { password: _, ...shown } = typed();
    expect(saved.json()).toEqual({ mail: { ...shown, password: 'set' }, isFixed: false });
    expect([await sendsMail(other), (await ask(other.openDevice())).statusCode]).toEqual([true, 200]);
    await other.runJobs();
    expect(server.received).toMatchObject([{ from: 'laps@club.example', to: [email] }]);

    expect((await owner.device.delete('/api/admin/mail')).json()).toMatchObject({ mail: null });
    expect([await sendsMail(other), (await ask(other.openDevice())).statusCode]).toEqual([false, 409]);
    expect((await owner.device.delete('/api/admin/mail')).statusCode).toBe(409);
  });

  test('takes over mails that wait in the queue for the one before', async () => {
    await save({ port: 9 });
    const { email } = await club.join();
    await club.openDevice().post('/api/auth/reset/mail', { email });
    await club.runJobs();
    expect(server.received).toEqual([]);
    await save();
    await unlockJobs();
    await club.runJobs();
    expect(server.received).toMatchObject([{ to: [email] }]);
  });

  test('asks a driver who switches Email Updates on for a confirmation, and before that sends nothing', async () => {
    const { device } = await club.join();
    const on = { emailUpdates: true };
    await device.patch('/api/auth/user/preferences', on);
    await save();
    await club.runJobs();
    expect(server.received).toEqual([]);
    await device.patch('/api/auth/user/preferences', on);
    await club.runJobs();
    expect(server.received).toHaveLength(1);
  });

  test('is noted in the audit log, and its password is in no answer, log entry or row', async () => {
    const answers = [await save(), await tryOut(), await tryOut({ port: 9 })].map(({ body }) => body);
    await save({ from: 'laps@club.example', password: undefined });
    const [changed, set] = await listEntries('change-mail');
    expect(set).toMatchObject({
      userId: owner.userId,
      changes: { server: [null, `127.0.0.1:${server.port} (unencrypted)`], password: [null, 'replaced'] },
    });
    expect(changed.changes).toEqual({ sender: [FROM, 'laps@club.example'] });
    const [failed, sent] = await listEntries('send-test-mail');
    expect([failed.changes.result, sent.changes.result]).toEqual([
      [null, 'refused'],
      [null, 'taken'],
    ]);
    const seen = JSON.stringify([answers, await status(), changed, set, failed, sent, await readStored()]);
    expect(seen).not.toContain(ACCOUNT.password);
    expect(seen).not.toContain(Buffer.from(ACCOUNT.password).toString('base64').slice(0, 16));
  });

  test('keeps its password for the same account only', async () => {
    await save();
    expect((await save(withoutPassword())).statusCode).toBe(200);
    expect((await tryOut(withoutPassword())).statusCode).toBe(200);
    for (const given of [{ host: 'localhost' }, { port: 9 }, { userName: 'other@club.example' }]) {
      for (const call of [save, tryOut]) {
        const refused = await call(withoutPassword(given));
        expect([refused.statusCode, refused.json().fields.password]).toEqual([
          400,
          expect.stringContaining('Enter the password again'),
        ]);
      }
    }
    expect(await status()).toMatchObject({ mail: { port: server.port, password: 'set' } });
  });

  test('with another COOKIE_SECRET the password is asked for again, and mails wait for it', async () => {
    await save();
    const moved = await startClubApp({ settings: { cookieSecret: OTHER_SECRET }, database: club.database });
    const { email } = await club.join();
    await club.openDevice().post('/api/auth/reset/mail', { email });
    await moved.runJobs();
    expect(await status(openOwnerAt(moved))).toMatchObject({ mail: { password: 'unreadable' } });
    const ask = await moved.openDevice().post('/api/auth/reset/mail', { email });
    expect([ask.statusCode, ask.json().message]).toEqual([
      409,
      expect.stringContaining('COOKIE_SECRET has changed'),
    ]);
    expect((await save(withoutPassword(), openOwnerAt(moved))).statusCode).toBe(400);
    expect((await save({}, openOwnerAt(moved))).statusCode).toBe(200);
    await unlockJobs();
    await moved.runJobs();
    expect(server.received).toMatchObject([{ to: [email] }]);
  });

  test('is refused where what is typed cannot be right', async () => {
    for (const given of [
      { host: 'mail.example.org:587' },
      { host: 'smtp://mail.example.org' },
      { host: 'mail\r\n.example.org' },
      { host: '' },
      { port: 0 },
      { port: 65_536 },
      { port: 'x' },
      { security: 'maybe' },
      { from: 'no address' },
      { from: 'Club\r\nBcc: victim@club.example <laps@club.example>' },
      { userName: 'a\nb' },
      { password: 'x'.repeat(513) },
      { userName: '' },
      { host: 'mail.example.org', security: 'none' },
      { userName: 'new@club.example', password: undefined },
    ]) {
      await deleteCallCounts();
      expect([given, (await save(given)).statusCode]).toEqual([given, 400]);
      expect([given, (await tryOut(given)).statusCode]).toEqual([given, 400]);
    }
    expect(await readStored()).toEqual([]);
  });

  test('is changed by owners alone, who have signed in a short while ago', async () => {
    const administrator = await club.join({ role: 'admin' });
    const moderator = await club.join({ role: 'moderator' });
    for (const [method, url] of [
      ['PUT', '/api/admin/mail'],
      ['DELETE', '/api/admin/mail'],
      ['POST', '/api/admin/mail/settings/test'],
    ] as const) {
      const body = method === 'DELETE' ? undefined : typed();
      expect((await club.openDevice().send(method, url, body)).statusCode).toBe(401);
      for (const { device } of [moderator, administrator])
        expect((await device.send(method, url, body)).statusCode).toBe(403);
      await whileOld(async () => {
        const refused = await owner.device.send(method, url, body);
        expect([refused.statusCode, refused.json().error]).toEqual([403, 'confirmation_needed']);
      });
    }
    expect([await readStored(), server.received]).toEqual([[], []]);
  });

  test('is replaced by SMTP_URL', async () => {
    await save({ port: 9 });
    const mail = { smtpUrl: `smtp://laps%40club.example:secret@127.0.0.1:${server.port}`, from: FROM };
    const fixed = await startClubApp({ settings: { mail }, database: club.database });
    const device = openOwnerAt(fixed);
    expect(await status(device)).toMatchObject({
      mail: { port: server.port, userName: ACCOUNT.user, password: 'set' },
      isFixed: true,
    });
    expect((await status(device)).mail).not.toHaveProperty('smtpUrl');
    expect((await save({}, device)).statusCode).toBe(409);
    expect((await device.delete('/api/admin/mail')).statusCode).toBe(409);
  });
});

describe('a test mail', () => {
  test('goes to the owner with what is typed, before it is saved', async () => {
    expect((await tryOut()).json()).toEqual({ sentTo: owner.email });
    expect(server.received).toMatchObject([{ to: [owner.email] }]);
    expect(await readStored()).toEqual([]);
  });

  test('says in plain words why it was not taken', async () => {
    const tls = await startMailServer({ encryption: 'tls' });
    const startTls = await startMailServer({ encryption: 'starttls' });
    const open = { userName: '', password: undefined };
    for (const [given, sentence] of [
      [{ password: 'wrong' }, /does not accept the user name and the password\. It says: “535/],
      [{ port: 9 }, /Nothing listens at 127\.0\.0\.1:9/],
      [{ host: 'mail.invalid', security: 'tls' }, /There is no server with the name mail\.invalid/],
      [{ from: 'other@club.example' }, /does not send mails of this sender\. It says: “553/],
      [{ security: 'starttls' }, /offers no STARTTLS/],
      [{ security: 'tls' }, /does not begin with TLS/],
      [{ ...open, port: tls.port, security: 'tls' }, /The certificate of .* is not valid/],
      [{ ...open, port: startTls.port, security: 'starttls' }, /The certificate of .* is not valid/],
    ] as const) {
      const refused = await tryOut(given);
      expect([refused.statusCode, refused.json().message]).toEqual([503, expect.stringMatching(sentence)]);
    }
    await Promise.all([tls.close(), startTls.close()]);
  });
});

describe('at the set-up', () => {
  const OWNER = {
    firstName: 'Olga',
    lastName: 'Brandt',
    email: 'olga@club.example',
    password: PASSWORD,
    clubName: 'Kart Club Nord',
    timeZone: 'UTC',
    registration: 'invited',
  };

  test('the mail server is tested with the link, stored with the club, and missing no more', async () => {
    const fresh = await startClubApp();
    const token = await fresh.makeLink({ purpose: 'set-up' });
    const device = fresh.openDevice();
    const testMail = (body: object) => device.post('/api/auth/set-up/mail-test', body);
    const to = OWNER.email;
    expect((await device.post('/api/auth/link', { kind: 'set-up', token })).json().missing).toContain('mail');
    const wrong = await testMail({ token, to, mail: typed({ password: 'wrong' }) });
    expect([wrong.statusCode, wrong.json().message]).toEqual([503, expect.stringContaining('535')]);
    expect((await testMail({ token, to, mail: typed({ host: '' }) })).json().fields).toHaveProperty(
      'mail.host',
    );
    expect((await testMail({ token: 'x'.repeat(43), to, mail: typed() })).statusCode).toBe(404);
    expect((await testMail({ token, to: 'no address', mail: typed() })).statusCode).toBe(400);
    expect((await testMail({ token, to, mail: typed() })).json()).toEqual({ sentTo: to });
    expect(server.received).toMatchObject([{ to: [to] }]);

    const half = { ...OWNER, token, mail: typed({ from: '' }) };
    expect((await device.post('/api/auth/set-up', half)).statusCode).toBe(400);
    const done = await device.post('/api/auth/set-up', { ...OWNER, token, mail: typed() });
    expect(done.statusCode).toBe(200);
    expect(await status(device)).toMatchObject({ mail: { host: '127.0.0.1', password: 'set' } });
    expect((await testMail({ token, to, mail: typed() })).statusCode).toBe(404);
  });

  test('a mail server is refused where SMTP_URL is set, and the link stays good', async () => {
    const fresh = await startClubApp({ settings: { mail: { smtpUrl: server.url, from: FROM } } });
    const token = await fresh.makeLink({ purpose: 'set-up' });
    const device = fresh.openDevice();
    const look = await device.post('/api/auth/link', { kind: 'set-up', token });
    expect(look.json().missing).not.toContain('mail');
    const setUp = (body: object) => device.post('/api/auth/set-up', { ...OWNER, token, ...body });
    expect((await setUp({ mail: typed() })).statusCode).toBe(409);
    expect((await setUp({})).statusCode).toBe(200);
  });
});
