import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Webhook, WebhookDelivery } from '#contract/webhooks/schemas.ts';
import { events } from '#server/model/events/schema.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import {
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUser,
  type SignedIn,
} from '#server/testing/builders.ts';
import { useHttpServer } from '#server/testing/http-server.ts';
import { startTestApp, useTestApp } from '#server/testing/test-app.ts';
import { explainFailure } from './deliver-webhooks.ts';
import { postWebhook } from './post-webhook.ts';
import { resolvePublicAddress } from '#server/kernel/http/public-address.ts';

type Heard = { path: string; signature: string; body: string };

let heard: Heard[] = [];
let answer: RequestListener;

const app = useTestApp({ settings: { webhookLoopback: true } });
const receiver = useHttpServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.once('end', () => {
    const signature = request.headers['pitboard-signature'];
    heard.push({
      path: request.url ?? '',
      signature: typeof signature === 'string' ? signature : '',
      body: Buffer.concat(chunks).toString(),
    });
    answer(request, response);
  });
});
let administrator: SignedIn;

const takeAll: RequestListener = (_request, response) => response.writeHead(204).end();
const LOOPBACK = { allowsLoopback: true, version: '1.2.3' };

beforeAll(async () => {
  administrator = await insertSignedIn(app.db, { isAdmin: true });
});
afterEach(async () => {
  await app.database.pool.query('DELETE FROM webhooks');
  heard = [];
});

async function add(changes: object = {}): Promise<Webhook & { secret: string }> {
  answer = takeAll;
  const body = { url: `${receiver.url}/hook`, events: ['record_set'], format: 'pitboard', ...changes };
  const response = await app.as(administrator).post('/api/admin/webhooks', body);
  expect(response.statusCode).toBe(200);
  return response.json();
}

const list = async (): Promise<{ webhooks: Webhook[]; deliveries: WebhookDelivery[] }> =>
  (await app.as(administrator).get('/api/admin/webhooks')).json();

async function setRecord(driver: string, track = 'Aldertown'): Promise<string> {
  const trackId = await insertTrack(app.db, { name: track });
  const userId = await insertUser(app.db, { displayName: driver });
  await insertSession(app.db, { trackId, userId, laps: [{ lapTimeMs: 60_000 }] });
  await app.runJobs();
  return trackId;
}

const tryAgain = async () => {
  await app.database.pool.query('UPDATE graphile_worker._private_jobs SET run_at = now()');
  await app.runJobs();
};

test('a lap that passes several drivers gives the ranks of each before and after it', async () => {
  await add({ events: ['rank_lost'] });
  const trackId = await insertTrack(app.db, { name: 'Aldertown' });
  const times = { Ana: 60_000, Bo: 61_000, Cy: 59_000 };
  for (const [displayName, lapTimeMs] of Object.entries(times)) {
    const userId = await insertUser(app.db, { displayName });
    await insertSession(app.db, { trackId, userId, laps: [{ lapTimeMs }] });
  }
  await app.runJobs();
  const texts = heard.map(({ body }): string => JSON.parse(body).text);
  expect(texts.toSorted((a, b) => a.localeCompare(b))).toEqual([
    'Cy passed Ana at Aldertown: Ana went from P1 to P2.',
    'Cy passed Bo at Aldertown: Bo went from P2 to P3.',
  ]);
});

test('a webhook hears of the events that it wants, each once, signed so that the receiver can check it', async () => {
  const { secret } = await add();
  const trackId = await setRecord('Ana');
  expect(heard).toHaveLength(1);
  const [{ path, signature, body } = { path: '', signature: '', body: '' }] = heard;
  expect(path).toBe('/hook');
  expect(JSON.parse(body)).toMatchObject({
    event: 'record_set',
    track: { id: trackId, name: 'Aldertown', url: `http://localhost:4200/track/${trackId}` },
    driver: { name: 'Ana' },
    details: { lapTimeMs: 60_000 },
    text: 'Ana set the record at Aldertown: 1:00.000.',
  });
  const [, timestamp, signed] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  expect(signed).toBe(createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'));
  expect((await list()).deliveries).toMatchObject([{ state: 'delivered', attempts: 1, status: 204 }]);

  // A server that was killed before it marked its events delivers them again.
  await app.db.update(events).set({ deliveredAt: null });
  await app.database.pool.query(`SELECT graphile_worker.add_job('deliver-events', $1)`, [{ trackId }]);
  await app.runJobs();
  expect(heard).toHaveLength(1);
});

test('Discord gets a sentence in which no name can call anybody, lay out text or hide a link', async () => {
  await add({ format: 'discord' });
  await setRecord('@everyone **[x](https://evil.example)**');
  const { content, allowed_mentions: mentions } = JSON.parse(heard[0]?.body ?? '{}');
  expect(mentions).toEqual({ parse: [] });
  expect(content).toContain(String.raw`\@everyone \*\*\[x\]\(https`);
  expect(content).not.toContain('](https');
});

test('a failed delivery is tried again with its error in the log, and given up after eight attempts', async () => {
  await add();
  answer = (_request, response) => response.writeHead(500).end();
  await setRecord('Ana');
  expect((await list()).deliveries).toMatchObject([
    { state: 'waiting', attempts: 1, status: 500, lastError: 'It answered 500.' },
  ]);
  for (let attempt = 2; attempt <= 9; attempt += 1) await tryAgain();
  expect((await list()).deliveries).toMatchObject([{ state: 'failed', attempts: 8 }]);
  expect(heard).toHaveLength(8);
});

test('a webhook that is switched off hears nothing, but takes a test; one that is removed takes its log along', async () => {
  const { id } = await add();
  const url = `/api/admin/webhooks/${id}`;
  expect((await app.as(administrator).put(url, { isOn: false })).json()).toMatchObject({ isOn: false });
  await setRecord('Ana');
  expect(heard).toEqual([]);
  expect((await app.as(administrator).post(`${url}/test`)).json()).toEqual({ started: true });
  await app.runJobs();
  expect(heard.map(({ body }) => JSON.parse(body).event)).toEqual(['test']);
  expect((await app.as(administrator).delete(url)).json()).toEqual({ removed: true });
  expect(await list()).toEqual({ webhooks: [], deliveries: [] });
  expect((await app.as(administrator).delete(url)).statusCode).toBe(404);
  expect((await app.as(administrator).post(`${url}/test`)).statusCode).toBe(404);
  expect((await app.as(administrator).put(url, { isOn: true })).statusCode).toBe(404);
  const log = (await app.as(administrator).get('/api/admin/audit-log')).json();
  const { host } = new URL(receiver.url);
  expect(log.entries.filter(({ subject }: { subject: string }) => subject === id)).toMatchObject([
    { action: 'remove-webhook', changes: { [host]: ['off', null] } },
    { action: 'change-webhook', changes: { [host]: ['on', 'off'] } },
    { action: 'add-webhook', changes: { [host]: [null, 'on'] } },
  ]);
});

test('a test of a webhook that is removed at this moment says so', async () => {
  const { id } = await add();
  const { pool } = app.database;
  await pool.query(`
    CREATE FUNCTION remove_webhook() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN DELETE FROM webhooks WHERE id = NEW.webhook_id; RETURN NEW; END';
    CREATE TRIGGER remove_webhook BEFORE INSERT ON webhook_deliveries
      FOR EACH ROW EXECUTE FUNCTION remove_webhook()`);
  const answered = await app.as(administrator).post(`/api/admin/webhooks/${id}/test`);
  await pool.query('DROP FUNCTION remove_webhook CASCADE');
  expect([answered.statusCode, answered.json()]).toEqual([
    409,
    {
      error: 'conflict',
      message: 'Something that this belongs to was changed or removed meanwhile. Reload the page.',
    },
  ]);
});

test('guests get 401, drivers 403, and what is no webhook 400', async () => {
  const driver = await insertSignedIn(app.db);
  const { id } = await add();
  const body = { url: 'https://hooks.example.org', events: ['record_set'], format: 'discord' };
  for (const [method, url, payload] of [
    ['GET', '/api/admin/webhooks', undefined],
    ['POST', '/api/admin/webhooks', body],
    ['PUT', `/api/admin/webhooks/${id}`, { isOn: true }],
    ['POST', `/api/admin/webhooks/${id}/test`, undefined],
    ['DELETE', `/api/admin/webhooks/${id}`, undefined],
  ] as const) {
    expect((await app.asGuest().send(method, url, payload)).statusCode).toBe(401);
    expect((await app.as(driver).send(method, url, payload)).statusCode).toBe(403);
  }
  for (const wrong of [
    { url: 'ftp://hooks.example.org' },
    { url: 'javascript:alert(1)' },
    { url: 'file:///etc/passwd' },
    { url: 'https://name:secret@hooks.example.org' },
    { events: [] },
    { events: ['lap_questioned'] },
    { format: 'xml' },
  ])
    expect((await app.as(administrator).post('/api/admin/webhooks', { ...body, ...wrong })).statusCode).toBe(
      400,
    );
  expect((await app.as(administrator).put(`/api/admin/webhooks/${id}`, { isOn: 'no' })).statusCode).toBe(400);
  expect((await app.as(administrator).delete('/api/admin/webhooks/none')).statusCode).toBe(400);
});

const STRICT = { allowsLoopback: false };

test('a name with a private address is refused, also next to a public one, and is resolved once', async () => {
  let asked = 0;
  const resolve =
    (...addresses: string[]) =>
    async () => {
      asked += 1;
      return addresses.map((address) => ({ address, family: 4 }));
    };
  const lookUp = (...addresses: string[]) =>
    resolvePublicAddress('hooks.example.org', STRICT, resolve(...addresses));
  await expect(lookUp('10.0.0.1')).rejects.toThrow('private network');
  await expect(lookUp('8.8.8.8', '127.0.0.1')).rejects.toThrow('private network');
  await expect(lookUp()).rejects.toThrow('private network');
  expect(await lookUp('8.8.8.8')).toEqual({ address: '8.8.8.8', family: 4 });

  // The first answer is checked and connected to; a second one would lead elsewhere, and is not asked for.
  asked = 0;
  answer = takeAll;
  const url = receiver.url.replace('127.0.0.1', 'hooks.example.org');
  const call = { url, body: '{}', secret: 'secret' };
  expect(await postWebhook(call, { ...LOOPBACK, resolve: resolve('127.0.0.1') })).toBe(204);
  expect(asked).toBe(1);
});

test('the address of this computer is refused for good unless the operator allows it', async () => {
  await add();
  const strict = await startTestApp({ database: app.database });
  const trackId = await insertTrack(app.db);
  await insertSession(app.db, { trackId, userId: await insertUser(app.db), laps: [{ lapTimeMs: 60_000 }] });
  await strict.runJobs();

  expect(heard).toEqual([]);
  const [delivery] = (await list()).deliveries;
  expect(delivery).toMatchObject({ state: 'failed', attempts: 1, status: null });
  expect(delivery?.lastError).toContain('private network');
});

test('an address of a private network is refused as it is entered', async () => {
  for (const url of ['http://10.0.0.1/hook', 'https://[fd00::1]/hook', 'http://0xa.1.1.1/hook']) {
    const body = { url, events: ['record_set'], format: 'pitboard' };
    const response = await app.as(administrator).post('/api/admin/webhooks', body);
    expect(response.statusCode).toBe(400);
    expect(response.json().fields.url).toContain('private network');
  }
  expect((await list()).webhooks).toEqual([]);
});

test('the log says in a sentence why nothing could be reached', () => {
  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND a.example'), { code: 'ENOTFOUND' });
  expect(explainFailure(unknown)).toBe('There is no server with this name.');
  expect(explainFailure(new Error('It took too long.'))).toBe('It took too long.');
});

test('redirects are not followed', async () => {
  await add();
  answer = (_request, response) => response.writeHead(302, { location: `${receiver.url}/inside` }).end();
  await setRecord('Ana');
  expect(heard.map(({ path }) => path)).toEqual(['/hook']);
  expect((await list()).deliveries).toMatchObject([
    { state: 'failed', status: 302, lastError: 'It answered 302; redirects are not followed.' },
  ]);
});

test('a receiver that answers without end, never, or with endless headers holds nothing up', async () => {
  const call = { url: receiver.url, body: '{}', secret: 'secret' };
  const isCutOff = new Promise<void>((done) => {
    answer = (_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 1);
      response.once('close', () => {
        clearInterval(timer);
        done();
      });
    };
  });
  expect(await postWebhook(call, LOOPBACK)).toBe(200);
  await isCutOff;
  answer = () => undefined;
  await expect(postWebhook(call, { ...LOOPBACK, answerWithinMs: 50 })).rejects.toThrow('no answer in time');
  answer = (_request, response) => response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end();
  await expect(postWebhook(call, LOOPBACK)).rejects.toThrow();
});

test('the documentation says how to check a signature, and its code does', async () => {
  const page = await readFile(join(projectFolder, 'docs/api.md'), 'utf8');
  const [, code = ''] = /```js\n(import \{ createHmac.+?)```/s.exec(page) ?? [];
  const module = `data:text/javascript,${encodeURIComponent(`${code}export { isFromPitboard };`)}`;
  const { isFromPitboard } = await import(/* @vite-ignore */ module);
  const { secret } = await add();
  await setRecord('Ana');
  const [message] = heard;
  if (!message) throw new Error('Nothing was sent.');
  const { signature, body } = message;
  expect(isFromPitboard(signature, body, secret)).toBe(true);
  expect(isFromPitboard(signature, `${body} `, secret)).toBe(false);
  expect(isFromPitboard(signature, body, 'another secret')).toBe(false);
  expect(isFromPitboard(signature.replace(/^t=\d+/, 't=1780823560'), body, secret)).toBe(false);
  expect(isFromPitboard('nonsense', body, secret)).toBe(false);
});
