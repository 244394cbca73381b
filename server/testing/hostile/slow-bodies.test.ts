import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { insertApiToken, insertSignedIn, type SignedIn } from '../builders.ts';
import { encodeForm } from '../form.ts';
import { insertKartTrack, kartCsv, listKeptFiles } from '../kart-uploads.ts';
import { leave } from '../leave.ts';
import { useTestApp } from '../test-app.ts';

// A caller begins a call while it is permitted, and sends the end of its body when it is not any more.

const app = useTestApp();
let port: number;
let owner: SignedIn;
let begunCalls = 0;

beforeAll(async () => {
  owner = await insertSignedIn(app.db, { role: 'owner' });
  app.fastify.server.on('request', () => void (begunCalls += 1));
  port = Number(new URL(await app.fastify.listen({ host: '127.0.0.1', port: 0 })).port);
});

type Slow = { method: string; path: string; headers: object; body: Buffer; contentType?: string };

/** Sends a call without the last byte of its body; returns a function that sends it and gives the answer. */
async function begin({ method, path, headers, body, contentType = 'application/json' }: Slow) {
  const before = begunCalls;
  const head = { ...headers, 'content-type': contentType, 'content-length': body.length };
  const call: ClientRequest = request({ host: '127.0.0.1', port, method, path, headers: head });
  call.write(body.subarray(0, -1));
  await vi.waitFor(() => expect(begunCalls).toBe(before + 1), { timeout: 20_000 });
  // The caller is authenticated now; a query of the database takes a few milliseconds.
  await sleep(200);
  return async () => {
    const answered = once(call, 'response');
    call.end(body.subarray(-1));
    const [response]: IncomingMessage[] = await answered;
    if (!response) throw new Error('There is no answer.');
    const { message }: { message: string } = JSON.parse(await text(response));
    return [response.statusCode, message];
  };
}

async function beginAll(calls: readonly Slow[]) {
  const ends = [];
  for (const call of calls) ends.push(await begin(call));
  return ends;
}

const json = (body: object) => Buffer.from(JSON.stringify(body));
const demote = ({ userId }: SignedIn) =>
  app.as(owner).put(`/api/admin/users/${userId}/role`, { role: 'member' });
const suspend = ({ userId }: SignedIn) =>
  app.as(owner).put(`/api/admin/people/${userId}/suspension`, { isSuspended: true });

test('an owner who loses the role while a body comes gives it to no account', async () => {
  const former = await insertSignedIn(app.db, { role: 'owner' });
  const friend = await insertSignedIn(app.db);
  const hook = { url: 'https://hooks.example.org/', events: ['record_set'], format: 'pitboard' };
  const call = { headers: former.headers, method: 'PUT', body: json({ role: 'owner' }) };
  const calls = [
    { ...call, path: `/api/admin/users/${former.userId}/role` },
    { ...call, path: `/api/admin/users/${friend.userId}/role` },
    { ...call, method: 'POST', path: '/api/admin/invitations' },
    { ...call, method: 'POST', path: '/api/admin/webhooks', body: json(hook) },
    // A body that the call does not have is read all the same.
    { ...call, method: 'DELETE', path: `/api/admin/people/${friend.userId}` },
  ];
  const ends = await beginAll(calls);
  expect((await demote(former)).statusCode).toBe(200);
  for (const [index, end] of ends.entries())
    expect(await end(), calls[index]?.path).toEqual([403, 'Only administrators may do this.']);
  expect((await app.as(former).get('/api/auth/user')).json()).toMatchObject({ isAdmin: false });
  expect((await app.as(friend).get('/api/auth/user')).json()).toMatchObject({ isAdmin: false });
});

test('a call ends with the session, the suspension and the token of its caller', async () => {
  const [guest, suspended, program, leaving] = await Promise.all(
    [1, 2, 3, 4].map(() => insertSignedIn(app.db)),
  );
  if (!guest || !suspended || !program || !leaving) throw new Error('There are four drivers.');
  const token = await insertApiToken(app.db, program.userId, ['upload']);
  const rename = { method: 'PATCH', path: '/api/auth/user/preferences', body: json({ displayName: 'Late' }) };
  const file = json({ fileName: 'a.csv', byteCount: 10 });
  const ends = await beginAll([
    { ...rename, headers: guest.headers },
    { ...rename, headers: suspended.headers },
    { method: 'POST', path: '/api/pending-files', body: file, headers: token.headers },
    { ...rename, headers: leaving.headers },
  ]);
  expect((await app.as(guest).post('/api/logout')).statusCode).toBe(200);
  expect((await suspend(suspended)).statusCode).toBe(200);
  expect((await app.as(program).delete(`/api/account/tokens/${token.id}`)).statusCode).toBe(200);
  expect((await leave(app, leaving)).statusCode).toBe(200);
  expect(await Promise.all(ends.map((end) => end()))).toEqual([
    [401, 'Please sign in first.'],
    [401, 'Please sign in first.'],
    [401, 'The API token is unknown, expired or revoked.'],
    [403, 'Your account is to be deleted. Keep it first.'],
  ]);
});

test('lap files of a driver who is suspended or leaves while they come are not stored', async () => {
  const trackId = await insertKartTrack(app.db);
  const [suspended, leaving] = [await insertSignedIn(app.db), await insertSignedIn(app.db)];
  const upload = async ({ headers }: SignedIn) => {
    const form = await encodeForm([
      ['trackId', trackId],
      ['files', kartCsv()],
    ]);
    const contentType = form.headers['content-type'];
    return { method: 'POST', path: '/api/upload', headers, body: form.payload, contentType };
  };
  const ends = await beginAll([await upload(suspended), await upload(leaving)]);
  expect((await suspend(suspended)).statusCode).toBe(200);
  expect((await leave(app, leaving)).statusCode).toBe(200);
  expect(await Promise.all(ends.map((end) => end()))).toEqual([
    [401, 'Please sign in first.'],
    [403, 'Your account is to be deleted. Keep it first.'],
  ]);
  expect(await listKeptFiles(app.storage)).toEqual([]);
});
