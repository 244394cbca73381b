import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { standInWorld, type StandInWorld } from './stand-in-world.ts';
import { STAND_IN_CALLS, type Asked, type StandInResponse } from './stand-in-calls.ts';

/** A server that answers as ours does, from what a test says, beside the built web application. */
export type StandIn = {
  url: string;
  /** A change of it shows in the next answer. */
  world: StandInWorld;
  /** Every call so far. */
  calls: Asked[];
  /** Answers a call, named by its method and path, with something else from now on. */
  answer: (call: string, body: unknown, status?: number) => void;
  /** Answers nothing to a call until the function that it gives is called. */
  hold: (call: string) => () => void;
  /** Everything as at the start. */
  reset: () => void;
  stop: () => Promise<void>;
};

type Overrides = Map<string, { response?: StandInResponse; until?: Promise<unknown> }>;

const WEB_FOLDER = fileURLToPath(new URL('../../dist/web', import.meta.url));
const MEDIA_TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Starts a stand-in on a free port. */
export async function startStandIn(): Promise<StandIn> {
  const overrides: Overrides = new Map();
  const server = createServer((request, response) => {
    void serve(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const standIn: StandIn = {
    url: '',
    world: standInWorld(),
    calls: [],
    answer: (call, body, status = 200) =>
      void overrides.set(call, { ...overrides.get(call), response: { status, body } }),
    hold: (call) => {
      const gate = new EventEmitter();
      overrides.set(call, { ...overrides.get(call), until: once(gate, 'open') });
      return () => void gate.emit('open');
    },
    reset: () => {
      overrides.clear();
      standIn.calls = [];
      standIn.world = standInWorld();
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await readRequest(request);
    if (!/^\/(api|objects)\//.test(asked.path)) return sendFile(asked.path, response);
    standIn.calls.push(asked);
    const call = `${asked.method} ${asked.path}`;
    const override = overrides.get(call);
    await override?.until;
    return send(override?.response ?? answerCall(asked, standIn.world), response);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('This computer gives no port.');
  standIn.url = `http://localhost:${address.port}`;
  return standIn;
}

function answerCall(asked: Asked, world: StandInWorld): StandInResponse {
  for (const { method, path, tell } of STAND_IN_CALLS) {
    const match = asked.method === method ? path.exec(asked.path) : null;
    if (match) return tell(world, { ...asked, params: match.slice(1).map(decodeURIComponent) });
  }
  return { status: 404, body: 'The stand-in knows no such call.' };
}

async function readRequest(request: IncomingMessage): Promise<Asked> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const body = await buffer(request);
  return {
    method: request.method ?? 'GET',
    path: pathname,
    query: searchParams,
    params: [],
    body,
    host: request.headers.host ?? '',
  };
}

function send({ status = 200, body, headers = {} }: StandInResponse, response: ServerResponse): void {
  if (Buffer.isBuffer(body) || typeof body === 'string') {
    response.writeHead(status, { 'Content-Type': 'text/plain', ...headers }).end(body);
  } else {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  }
}

/** A file of the built application; any other path is one of its pages. */
async function sendFile(path: string, response: ServerResponse): Promise<void> {
  const file = extname(path) === '' ? 'index.html' : normalize(path);
  try {
    const content = await readFile(join(WEB_FOLDER, file));
    response
      .writeHead(200, { 'Content-Type': MEDIA_TYPES[extname(file)] ?? 'application/octet-stream' })
      .end(content);
  } catch {
    response.writeHead(404).end();
  }
}
