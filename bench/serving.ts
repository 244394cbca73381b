import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { buildApp } from '#server/app.ts';
import type { OpenDatabase } from '#server/db/database.ts';
import { openDiskStorage } from '#server/storage/disk-storage.ts';
import { startLapWorkers } from '#server/workers/lap-workers.ts';

const CONNECTIONS = 16;
const SERVING_MS = 3_000;
const ROUNDS = 3;

/** The whole app over `database`, without a log; `close` ends it and leaves the database open. */
export async function openBenchApp(
  database: OpenDatabase,
): Promise<{ app: FastifyInstance; close: () => Promise<void> }> {
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
  return { app, close: () => app.close().then(() => lapWorkers.close()) };
}

/** Prints how many answers of a call are sent in a second, beside the same server sending the same bytes from a constant. */
export async function compareWithConstant(
  database: OpenDatabase,
  call: { path: string; name: string },
): Promise<void> {
  const { app, close } = await openBenchApp(database);
  const constant = '/api/constant';
  let bytes = Buffer.alloc(0);
  app.get(constant, (_request, reply) =>
    reply.header('content-encoding', 'gzip').type('application/json; charset=utf-8').send(bytes),
  );
  const { rawPayload, headers } = await app.inject({
    url: call.path,
    headers: { 'accept-encoding': 'gzip' },
  });
  bytes = Buffer.from(rawPayload);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const port = portOf(app);
  const cases = [
    { name: 'the same bytes from a constant', path: constant, known: {} },
    { name: `${call.name} that has not changed`, path: call.path, known: {} },
    {
      name: `${call.name} that the browser has (304)`,
      path: call.path,
      known: { 'if-none-match': String(headers.etag) },
    },
  ];
  const rates = cases.map(() => 0);
  // In turns, and the best of each: other work on the machine slows some of them.
  for (let round = 0; round < ROUNDS; round++) {
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
  await close();
}

/** Where an app listens. */
export function portOf(app: FastifyInstance): number {
  // Under an HTTP server without HTTP/2 this is always a TCP address.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (app.server.address() as AddressInfo).port;
}

async function requestsPerSecond(port: number, path: string, known: object): Promise<number> {
  const worker = new Worker(new URL('./probe-answers.mjs', import.meta.url), {
    workerData: {
      port,
      path,
      connections: CONNECTIONS,
      durationMs: SERVING_MS,
      headers: { 'accept-encoding': 'gzip', ...known },
    },
  });
  const [rate] = z.tuple([z.number()]).parse(await once(worker, 'message'));
  return rate;
}
