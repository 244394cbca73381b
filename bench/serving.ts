import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { buildApp } from '#server/app.ts';
import type { AppSettings } from '#server/model/services.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { openDiskStorage } from '#server/kernel/storage/disk-storage.ts';
import { startLapWorkers } from '#server/model/laps/timing/lap-workers.ts';

// The numbers are those of a quiet evening and a race day: the more ask at once, the more calls share one reading of
// the board's version.
const CONNECTIONS = [16, 64];
const SERVING_MS = 3_000;
const ROUNDS = 3;

/** Opens the whole app over `database`, without a log; `close` ends it and leaves the database open. */
export async function openBenchApp(
  database: OpenDatabase,
  settings: Partial<AppSettings> = {},
): Promise<{ app: FastifyInstance; close: () => Promise<void> }> {
  const lapWorkers = startLapWorkers();
  const app = await buildApp({
    settings: {
      version: 'bench',
      publicUrl: 'http://localhost:4490',
      cookieSecret: 'only for this benchmark, and for nothing else',
      adminEmails: [],
      oidc: null,
      hasOwnAccounts: false,
      registration: null,
      trustProxy: 'loopback',
      driverQuotaBytes: 1e12,
      mapTiles: null,
      mail: null,
      updateUrl: null,
      backupTarget: null,
      webhookLoopback: false,
      ...settings,
    },
    database,
    storage: openDiskStorage(join(tmpdir(), 'pitboard-bench-files')),
    lapWorkers,
    incomingFolder: tmpdir(),
    webFolder: join(tmpdir(), 'no-web-client-here'),
  });
  return { app, close: () => app.close().then(() => lapWorkers.close()) };
}

/** Prints how many responses of a call are sent in a second, compared with the same server sending the same bytes from a constant. */
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
  const port = findPort(app);
  const cases = [
    { name: 'the same bytes from a constant', path: constant, known: {} },
    { name: `${call.name} that has not changed`, path: call.path, known: {} },
    {
      name: `${call.name} that the browser has (304)`,
      path: call.path,
      known: { 'if-none-match': String(headers.etag) },
    },
  ];
  console.log(`\nServed with ${rawPayload.length} bytes each, requests/s and their share of the constant:\n`);
  console.log(`| answer | ${CONNECTIONS.map((connections) => `${connections} connections`).join(' | ')} |`);
  console.log(`| --- |${' ---: |'.repeat(CONNECTIONS.length)}`);
  const rates = cases.map(() => CONNECTIONS.map(() => 0));
  // Both run in turns, and the best of each counts: other work on the machine slows some of them.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [row, { path, known }] of cases.entries()) {
      for (const [column, connections] of CONNECTIONS.entries()) {
        const rate = await requestsPerSecond({ port, path, connections, known });
        const best = rates[row];
        if (best) best[column] = Math.max(best[column] ?? 0, rate);
      }
    }
  }
  for (const [row, { name }] of cases.entries()) {
    const cells = (rates[row] ?? []).map(
      (rate, column) => `${rate.toFixed(0)} · ${(rate / (rates[0]?.[column] ?? 1)).toFixed(2)}`,
    );
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
  await close();
}

/** Finds where an app listens. */
export function findPort(app: FastifyInstance): number {
  // Under an HTTP server without HTTP/2 this is always a TCP address.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (app.server.address() as AddressInfo).port;
}

type Load = { port: number; path: string; connections: number; known: object };

async function requestsPerSecond({ known, ...load }: Load): Promise<number> {
  const worker = new Worker(new URL('./probe-answers.mjs', import.meta.url), {
    workerData: { ...load, durationMs: SERVING_MS, headers: { 'accept-encoding': 'gzip', ...known } },
  });
  const [rate] = z.tuple([z.number()]).parse(await once(worker, 'message'));
  return rate;
}
