import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { beforeAll, expect, test, vi } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
let driver: SignedIn;
let port: number;

beforeAll(async () => {
  driver = await insertSignedIn(app.db);
  const address = await app.fastify.listen({ host: '127.0.0.1', port: 0 });
  port = Number(new URL(address).port);
});

const HEAD = '--edge\r\ncontent-disposition: form-data; name="file"; filename="laps.csv"\r\n\r\n';
const END = '\r\n--edge--\r\n';

/** Begins to send a form with one file; what follows is the file. */
function beginForm(head = HEAD) {
  const call = request({
    host: '127.0.0.1',
    port,
    path: '/api/analyze-gps',
    method: 'POST',
    headers: { ...driver.headers, 'content-type': 'multipart/form-data; boundary=edge' },
  });
  call.write(head);
  return call;
}

test('an upload that breaks off leaves nothing behind', async () => {
  const call = beginForm();
  const failed = once(call, 'error').catch(() => undefined);
  call.write(Buffer.alloc(200_000));
  await vi.waitFor(() => expect(readdirSync(app.incomingFolder)).toHaveLength(1), { timeout: 20_000 });
  call.destroy();
  await failed;
  await vi.waitFor(() => expect(readdirSync(app.incomingFolder)).toEqual([]), { timeout: 20_000 });
  expect((await app.asGuest().get('/api/health')).statusCode).toBe(200);
});

test('a file over the limit is answered with a sentence that names the limit, and leaves nothing behind', async () => {
  const call = beginForm();
  const answer = once(call, 'response');
  const megabyte = Buffer.alloc(1024 * 1024);
  for (let sent = 0; sent <= LIMITS.lapFileBytesMax; sent += megabyte.length) {
    if (!call.write(megabyte)) await once(call, 'drain');
  }
  call.end(END);
  const [response] = await answer;
  expect(response.statusCode).toBe(413);
  const chunks = await response.toArray();
  expect(JSON.parse(Buffer.concat(chunks).toString())).toEqual({
    error: 'too_large',
    message: 'laps.csv is too large: a lap file may have at most 128 MB.',
  });
  expect(readdirSync(app.incomingFolder)).toEqual([]);
});

test('a file whose name has line ends is left out, and the form is answered, wherever in the stream it ends', async () => {
  const names = ["filename*=UTF-8''laps%0d%0aset-cookie%3a%20a%3db.csv", "filename*=UTF-8''%0a"];
  for (let kilobytes = 4; kilobytes <= 256; kilobytes += 12) {
    const call = beginForm(HEAD.replace('filename="laps.csv"', names[(kilobytes / 4) % 2] ?? ''));
    const answer = once(call, 'response');
    call.end(Buffer.concat([Buffer.alloc(1024 * kilobytes, 'a'), Buffer.from(END)]));
    const [response] = await answer;
    expect([kilobytes, response.statusCode]).toEqual([kilobytes, 400]);
    expect(response.headers).not.toHaveProperty('set-cookie');
    response.resume();
  }
});

test('a body that is not a form is refused with a sentence', async () => {
  for (const payload of [
    '',
    'nonsense',
    HEAD,
    `${HEAD}1,2,3`,
    '--edge--\r\n',
    HEAD.replace('"file"', '"toString"'),
  ]) {
    const response = await app
      .as(driver)
      .post('/api/analyze-gps', payload, { 'content-type': 'multipart/form-data; boundary=edge' });
    expect([payload, response.statusCode]).toEqual([payload, 400]);
  }
  const withoutEdge = { 'content-type': 'multipart/form-data' };
  expect((await app.as(driver).post('/api/analyze-gps', 'x', withoutEdge)).statusCode).toBe(400);
  expect(readdirSync(app.incomingFolder)).toEqual([]);
});
