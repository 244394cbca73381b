import { connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { insertSignedIn, insertTrack } from '#server/testing/builders.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
const guest = app.asGuest();
let port: number;

beforeAll(async () => {
  port = Number(new URL(await app.fastify.listen({ port: 0, host: '127.0.0.1' })).port);
});

/** Sends these very bytes and gives what comes back until the connection ends. */
async function sendRaw(request: string): Promise<{ status: number; head: string; body: string }> {
  const socket = connect(port, '127.0.0.1');
  socket.end(request);
  const answer = Buffer.concat(await socket.toArray()).toString();
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body };
}

test.each(['/api/%zz', '/api/users/%E0%A4%A', '/assets/%c0%ae'])(
  'a URL that is not properly encoded is answered like every other: %s',
  async (url) => {
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const response = await guest.send(method, url);
      expect(response.statusCode).toBe(400);
      expect(response.json()).toEqual({
        error: 'invalid_input',
        message: 'This address is not properly encoded.',
      });
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'self'"),
      });
    }
  },
);

test.each(['/%', '/track/%ff%fe', '/apis/%zz'])(
  'a URL of no call that is not properly encoded is one where nothing is: %s',
  async (url) => {
    const response = await guest.get(url);
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ message: 'There is nothing at this address.' });
  },
);

test('a stray percent sign in a query does no harm', async () => {
  const response = await guest.get('/api/car-library/search?q=100%');
  expect(response.statusCode).toBe(200);
});

test('text that the database cannot keep is refused, and its field is named', async () => {
  const admin = await insertSignedIn(app.db, { isAdmin: true });
  const trackId = await insertTrack(app.db);
  const line = { a: { lat: 51.17785, lon: 1.1989 }, b: { lat: 51.17755, lon: 1.1989 }, bearingDeg: 90 };
  for (const [name, status] of [
    ['S1 \ud800', 400],
    ['S1 \u0000', 400],
    ['S1 \ud83c\udfc1', 200],
  ] as const) {
    const answer = await app
      .as(admin)
      .patch(`/api/admin/tracks/${trackId}`, { sectors: [{ name, ...line }] });
    expect(answer.statusCode, name).toBe(status);
    if (status === 400)
      expect(answer.json().fields).toEqual({ sectors: 'The text holds a character that cannot be stored.' });
  }
});

test.each([
  ['a URL longer than any', 431, `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`],
  ['a header longer than any', 431, `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`],
  ['what is no request', 400, 'what is this\r\n\r\n'],
  ['two lengths', 400, 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na'],
])('%s is answered in words, with an id, and the connection ends', async (_name, status, request) => {
  const answer = await sendRaw(request);
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.body)).toMatchObject({ message: expect.stringMatching(/^The .*\.$/) });
  expect(answer.head).toMatch(/x-request-id: [0-9a-f-]{36}/);
  expect(answer.head).toContain('x-content-type-options: nosniff');
  expect(answer.head).toContain('connection: close');
});
