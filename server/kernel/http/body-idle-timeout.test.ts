import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limitBodyIdleTime } from './body-idle-timeout.ts';

const INTERVAL_MS = 300;
const BYTES_MIN = 1_000;
const LARGE_BYTES = 20_000_000;
const app: FastifyInstance = fastify({ bodyLimit: LARGE_BYTES });

beforeAll(async () => {
  limitBodyIdleTime(app, { intervalMs: INTERVAL_MS, bytesMin: BYTES_MIN, totalMs: 20 * INTERVAL_MS });
  app.route({
    method: 'POST',
    url: '/',
    handler: async (request) => {
      // Longer than a client may be silent, as the timing of a large file is.
      await sleep(3 * INTERVAL_MS);
      return request.body;
    },
  });
  app.route({ method: 'GET', url: '/large', handler: async () => Buffer.alloc(LARGE_BYTES) });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

async function send(text: string): Promise<Socket> {
  const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1').setEncoding('utf8');
  await once(socket, 'connect');
  socket.on('error', () => undefined); // it is cut off
  socket.write(text);
  return socket;
}

const post = (length: number, body: string) =>
  send(
    `POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: ${length}\r\n\r\n${body}`,
  );

/** Reads the answer until the connection closes. A client that still writes then may get an error first. */
async function receive(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (part: string) => (text += part));
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

test('a client that falls silent in the middle of a body is cut off, without an answer', async () => {
  expect(await receive(await post(4, 'ab'))).toBe('');
});

test('a client whose body trickles is cut off, long before it has sent all', async () => {
  const socket = await post(1_000_000, '');
  const trickle = setInterval(() => socket.write('a'), INTERVAL_MS / 10);
  expect(await receive(socket)).toBe('');
  clearInterval(trickle);
  expect(socket.bytesWritten).toBeLessThan(1_000_000);
});

test('a client that reads nothing of its answer is cut off', async () => {
  const connected = once(app.server, 'connection');
  const client = await send('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
  client.pause();
  const [socket]: Socket[] = await connected;
  if (socket) await once(socket, 'close');
  expect(client.bytesRead).toBeLessThan(LARGE_BYTES);
  client.destroy();
});

test('a client that has sent its body is answered, however long the answer takes', async () => {
  expect(await receive(await post(4, 'abcd'))).toMatch(/^HTTP\/1.1 200 OK[^]*abcd$/);
});
