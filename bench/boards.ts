import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '#server/app.ts';
import { listBoard } from '#server/laps/board-store.ts';
import { openDiskStorage } from '#server/storage/disk-storage.ts';
import { startLapWorkers } from '#server/workers/lap-workers.ts';
import { BUSY_TRACK, openBoardDatabase } from './board-database.ts';

// How fast the boards of a busy track are: made by the database, and served again while nothing has changed. What is
// served is set against the same server answering the same bytes from a constant, so that the figures are ratios.

const QUERY_RUNS = 31;
const CONNECTIONS = 16;
const SERVING_MS = 3_000;

const QUERIES = [
  { name: 'page of 50', filter: {} },
  { name: 'page of 50, one race class', filter: { raceClass: 'GT' } },
  { name: 'page of 50, one tyre category', filter: { tire: 'rcomp' as const } },
  { name: 'page of 50, one make and tyre', filter: { make: 'Make 3', tire: 'rcomp' as const } },
  { name: 'page of 50, last month', filter: { timePeriod: '1-month' as const } },
];

export async function run(): Promise<void> {
  const { database, close } = await openBoardDatabase();
  try {
    console.log('Made by the database, of 57,000 laps by 2,500 drivers on one track:\n');
    console.log('| board | ms (median) |\n| --- | ---: |');
    for (const { name, filter } of QUERIES) {
      const page = { limit: 50, offset: 0, ownUserId: null };
      const medianMs = await median(() => listBoard(database.pool, BUSY_TRACK, filter, page));
      console.log(`| ${name} | ${medianMs.toFixed(1)} |`);
    }
    await measureServing(database);
  } finally {
    await close();
  }
}

async function median(task: () => Promise<unknown>): Promise<number> {
  const timesMs: number[] = [];
  for (let i = 0; i < QUERY_RUNS; i++) {
    const startMs = performance.now();
    await task();
    timesMs.push(performance.now() - startMs);
  }
  return timesMs.toSorted((a, b) => a - b)[Math.floor(QUERY_RUNS / 2)] ?? Number.NaN;
}

async function measureServing(database: Parameters<typeof buildApp>[0]['database']): Promise<void> {
  const lapWorkers = startLapWorkers();
  const app = await buildApp({
    settings: {
      version: 'bench',
      publicUrl: 'http://localhost:4490',
      cookieSecret: 'only for this benchmark, and for nothing else',
      adminEmails: [],
      oidc: null,
      trustProxy: 'loopback',
    },
    database,
    storage: openDiskStorage(join(tmpdir(), 'pitboard-bench-files')),
    lapWorkers,
    incomingFolder: tmpdir(),
    webFolder: join(tmpdir(), 'no-web-client-here'),
  });
  const board = `/api/laps/track/${BUSY_TRACK}/best?limit=50`;
  const constant = '/api/constant';
  let bytes = Buffer.alloc(0);
  app.get(constant, (_request, reply) =>
    reply.header('content-encoding', 'gzip').type('application/json; charset=utf-8').send(bytes),
  );
  const { rawPayload, headers } = await app.inject({ url: board, headers: { 'accept-encoding': 'gzip' } });
  bytes = Buffer.from(rawPayload);
  await app.listen({ host: '127.0.0.1', port: 0 });
  // Under an HTTP server without HTTP/2 this is always a TCP address.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port } = app.server.address() as AddressInfo;
  const cases = [
    { name: 'the same bytes from a constant', path: constant, known: {} },
    { name: 'a board that has not changed', path: board, known: {} },
    {
      name: 'a board that the browser has (304)',
      path: board,
      known: { 'if-none-match': String(headers.etag) },
    },
  ];
  const rates = cases.map(() => 0);
  // In turns, and the best of each: other work on the machine slows some of them.
  for (let round = 0; round < 3; round++) {
    for (const [index, { path, known }] of cases.entries()) {
      rates[index] = Math.max(rates[index] ?? 0, await requestsPerSecond(port, path, known));
    }
  }
  console.log(`\nServed over ${CONNECTIONS} connections, ${rawPayload.length} bytes each:\n`);
  console.log('| answer | requests/s | of the constant |\n| --- | ---: | ---: |');
  for (const [index, { name }] of cases.entries()) {
    const rate = rates[index] ?? 0;
    console.log(`| ${name} | ${rate.toFixed(0)} | ${(rate / (rates[0] ?? 1)).toFixed(2)} |`);
  }
  await app.close();
  await lapWorkers.close();
}

async function requestsPerSecond(port: number, path: string, known: object): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { 'accept-encoding': 'gzip', ...known };
  const endMs = performance.now() + SERVING_MS;
  let count = 0;
  const ask = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const request = get({ host: '127.0.0.1', port, path, agent, headers });
      const [response] = await once(request, 'response');
      response.resume();
      await once(response, 'end');
      count++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  agent.destroy();
  return (count * 1_000) / SERVING_MS;
}
