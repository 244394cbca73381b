import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openS3Storage } from './s3-storage.ts';
import { StorageUnavailableError } from './storage-unavailable.ts';
import type { Storage } from './storage.ts';

// An object storage that takes connections and then does not do its part.

const SILENCE_MAX_MS = 300;
// More than sockets hold on the way.
const FILE_BYTES = 20_000_000;

let folder: string;
let path: string;
let server: Server;
let sockets: Socket[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pitboard-silence-'));
  path = join(folder, 'file');
  await writeFile(path, Buffer.alloc(FILE_BYTES));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
});

/** The storage at a server that treats its connections like this. */
async function openAt(onConnection: (socket: Socket) => void): Promise<Storage> {
  sockets = [];
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined); // it is cut off, which is the point
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const settings = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'here',
    bucket: 'laps',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  };
  return openS3Storage(settings, SILENCE_MAX_MS);
}

const read = async (storage: Storage): Promise<Buffer> => {
  const stored = await storage.openRead('lap-files/one');
  if (!stored) throw new Error('There is an object.');
  return await buffer(stored.content);
};

const CALLS: [name: string, call: (storage: Storage) => Promise<unknown>][] = [
  ['put', (storage) => storage.put('lap-files/one', path)],
  ['read', read],
  ['remove', (storage) => storage.remove('lap-files/one')],
  [
    'list',
    async (storage) => {
      for await (const { key } of storage.list('lap-files')) throw new Error(`There is ${key}.`);
    },
  ],
];

/** No connection is left, and the file that was to be stored is not open any more. */
async function expectNothingOpen(): Promise<void> {
  for (const socket of sockets) socket.resume(); // or it would not notice
  await vi.waitFor(() => expect(sockets.every(({ closed }) => closed)).toBe(true), { timeout: 20_000 });
  if (process.platform !== 'linux') return;
  const open = await Promise.all(
    (await readdir('/proc/self/fd')).map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
  );
  expect(open).not.toContain(path);
}

describe.each(CALLS)('to %s', (_name, call) => {
  test('from a storage that never reads and never answers ends as its absence', async () => {
    await expect(call(await openAt((socket) => void socket.pause()))).rejects.toThrow(
      StorageUnavailableError,
    );
    await expectNothingOpen();
  });

  test('from a storage that reads and never answers ends as its absence', async () => {
    await expect(call(await openAt((socket) => void socket.resume()))).rejects.toThrow(
      StorageUnavailableError,
    );
    await expectNothingOpen();
  });

  test('from a storage that hangs up ends as its absence', async () => {
    await expect(call(await openAt((socket) => void socket.destroy()))).rejects.toThrow(
      StorageUnavailableError,
    );
    await expectNothingOpen();
  });

  test('from a page of a proxy that says it is busy ends as its absence', async () => {
    const page = '<html>Bad gateway</html>';
    const head = `HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: ${page.length}`;
    const storage = await openAt(
      (socket) => void socket.resume().once('data', () => socket.end(`${head}\r\n\r\n${page}`)),
    );
    await expect(call(storage)).rejects.toThrow(StorageUnavailableError);
  });
});

test.each(['falls silent', 'hangs up'])(
  'an object that %s in its middle ends as the absence of the storage, not as a short one',
  async (how) => {
    const storage = await openAt((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nthe first half');
        if (how === 'hangs up') socket.end();
      });
    });
    await expect(read(storage)).rejects.toThrow(StorageUnavailableError);
    await expectNothingOpen();
  },
);

test('an object whose reader goes away holds no connection', async () => {
  const storage = await openAt((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf'));
  });
  (await storage.openRead('lap-files/one'))?.content.destroy();
  await expectNothingOpen();
});
