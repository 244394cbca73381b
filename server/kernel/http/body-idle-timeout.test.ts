import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setBodyIdleTimeout } from './body-idle-timeout.ts';

const BODY_IDLE_MAX_MS = 400;
const app: FastifyInstance = fastify();

beforeAll(async () => {
  setBodyIdleTimeout(app, BODY_IDLE_MAX_MS);
  app.route({
    method: 'POST',
    url: '/',
    handler: async (request) => {
      // Longer than a client may be silent, as the timing of a large file is.
      await sleep(2 * BODY_IDLE_MAX_MS);
      return request.body;
    },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

async function beginToSend(): Promise<Socket> {
  const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1').setEncoding('utf8');
  await once(socket, 'connect');
  socket.write(
    'POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: 4\r\n\r\nab',
  );
  return socket;
}

test('a client that falls silent in the middle of a body is cut off, without an answer', async () => {
  const socket = await beginToSend();
  expect((await socket.toArray()).join('')).toBe('');
});

test('a client that has sent its body is answered, however long the answer takes', async () => {
  const socket = await beginToSend();
  socket.write('cd');
  expect((await socket.toArray()).join('')).toMatch(/^HTTP\/1.1 200 OK[^]*abcd$/);
});
