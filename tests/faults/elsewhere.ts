import { once } from 'node:events';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/kernel/database/embedded-postgres.ts';

// Starts what a server may have elsewhere, as parts that a test can break.

/** A PostgreSQL that is not the server's own. */
export type Database = {
  url: string;
  start: () => Promise<void>;
  stop: () => Promise<void>;
  remove: () => Promise<void>;
};

export async function openDatabaseElsewhere(): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-elsewhere-'));
  // Each start has a socket folder of another name; a link to it keeps the address the same, as on a real server.
  const link = join(folder, 'socket');
  const open = async () => {
    const postgres = await startEmbeddedPostgres({ folder: join(folder, 'database') });
    const socketFolder = new URL(postgres.connectionString.replace('@/', '@socket/')).searchParams.get(
      'host',
    );
    if (socketFolder === null) throw new Error('The database listens on a socket.');
    await rm(link, { force: true });
    await symlink(socketFolder, link);
    return {
      ...postgres,
      connectionString: postgres.connectionString.replace(
        encodeURIComponent(socketFolder),
        encodeURIComponent(link),
      ),
    };
  };
  let running: EmbeddedPostgres | null = await open();
  const stop = async () => {
    await running?.stop();
    running = null;
  };
  return {
    url: running.connectionString,
    start: async () => void (running = await open()),
    stop,
    remove: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * How an object storage answers: well, with an error, by ending the connection, late, or not to its end: it takes no more than
 * the beginning of an object and gives the first half of one. In the mood `last` it takes one object well, and none after it.
 */
export type StorageMood = 'well' | 500 | 503 | 'cut' | 'slow' | 'half' | 'last';

/** A storage that speaks as much of S3 as the server asks for, keeps everything in memory and believes every signature. */
export type ObjectStorage = {
  url: string;
  objects: Map<string, Buffer>;
  mood: StorageMood;
  close: () => Promise<void>;
};

// Longer than any answer of a good storage, far shorter than what the server waits for.
const SLOW_MS = 1_500;

export async function openObjectStorage(bucket: string): Promise<ObjectStorage> {
  const server = createServer((request, response) => {
    answer(storage, bucket, request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const storage: ObjectStorage = {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    objects: new Map(),
    mood: 'well',
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return storage;
}

async function answer(
  storage: ObjectStorage,
  bucket: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { objects, mood } = storage;
  if (mood === 'cut') return void request.socket.destroy();
  if (mood === 'half' && request.method === 'PUT') return;
  const chunks: Buffer[] = await request.toArray();
  if (mood === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
  if (typeof mood === 'number') {
    response.writeHead(mood).end('<Error><Code>SlowDown</Code><Message>Not now.</Message></Error>');
    return;
  }
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://storage');
  const key = pathname.slice(bucket.length + 2);
  if (searchParams.has('list-type')) {
    const found = [...objects.keys()].filter((name) => name.startsWith(searchParams.get('prefix') ?? ''));
    const rows = found.map(
      (name) =>
        `<Contents><Key>${name}</Key><LastModified>${new Date().toISOString()}</LastModified></Contents>`,
    );
    response.end(`<ListBucketResult><IsTruncated>false</IsTruncated>${rows.join('')}</ListBucketResult>`);
  } else if (request.method === 'PUT') {
    objects.set(key, Buffer.concat(chunks));
    if (mood === 'last') storage.mood = 503;
    response.writeHead(200, { etag: '"x"' }).end();
  } else if (request.method === 'DELETE') {
    objects.delete(key);
    response.writeHead(204).end();
  } else {
    sendObject(response, objects.get(key), mood === 'half' ? 0.5 : 1);
  }
}

/** Sends an object, or a share of it and then nothing more. */
function sendObject(response: ServerResponse, content: Buffer | undefined, share: number): void {
  if (!content) {
    response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    return;
  }
  response.writeHead(200, { 'content-length': content.length });
  if (share === 1) response.end(content);
  else response.write(content.subarray(0, share * content.length));
}

/** How many files, sockets among them, a process has open. */
export async function countOpenFiles(processId: number): Promise<number> {
  return (await readdir(`/proc/${processId}/fd`)).length;
}
