import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { LiveFix, LiveSharing } from '#contract/live/schemas.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { insertKartTrack } from '#server/testing/kart-uploads.ts';
import { driveLive } from '#server/testing/live-drive.ts';
import { openEmptyDatabase } from './board-database.ts';

// Measures the time from a driver's batch of fixes to the screens of those who watch, with one and with two copies of the server. The
// batches of each driver come to the copies in turn, as a load balancer spreads them. Watchers and drivers run on the same computer.

const WATCHERS = 1_000;
const READERS = 40;
const DRIVERS = 50;
const RATE_HZ = 10;
const WARM_UP_SECONDS = 12;
const MEASURED_SECONDS = 30;

type Driver = { who: SignedIn; sharing: LiveSharing; batches: LiveFix[][] };

export async function run(): Promise<void> {
  console.log(
    `${WATCHERS} watchers, ${DRIVERS} drivers at ${RATE_HZ} Hz, a batch a second each; ${MEASURED_SECONDS} s:\n`,
  );
  console.log(
    '| copies | batch to wall, ms: median | 95 % | longest | to the answer, 95 % | a call that only asks whether the server is ready, 95 % | CPU of a copy | memory of a copy | KiB/s to a watcher | refused |',
  );
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const count of [1, 2]) await measure(count);
}

async function measure(count: number): Promise<void> {
  const { database, close } = await openEmptyDatabase();
  const { connectionString = '' } = database.pool.options;
  const copies = await Promise.all(Array.from({ length: count }, () => startCopy(connectionString)));
  let watchers: ChildProcess | undefined;
  try {
    const ports = copies.map(({ port }) => port);
    const trackId = await insertKartTrack(database.db);
    const drivers = await startDrivers(database.db, trackId, ports[0] ?? 0);
    const code = drivers[0]?.sharing.code ?? '';
    const watched = JSON.stringify({ ports, watchers: WATCHERS, readers: READERS, code });
    watchers = fork(fileURLToPath(new URL('./watch-pit-wall.mjs', import.meta.url)), [watched]);
    await hear(watchers, z.literal('open'));
    await sendFor(drivers, ports, WARM_UP_SECONDS, 0);
    for (const { child } of copies) child.send('begin');
    watchers.send('begin');
    const sent = await sendFor(drivers, ports, MEASURED_SECONDS, WARM_UP_SECONDS);
    await wait(1_500);
    watchers.send('end');
    const seen = await hear(watchers, seenSchema);
    const used = await Promise.all(copies.map(({ child }) => askUsed(child)));
    print(count, { sent, seen, used });
  } finally {
    watchers?.kill('SIGKILL');
    for (const { child } of copies) child.kill('SIGKILL');
    await close();
  }
}

const seenSchema = z.object({
  arrivals: z.array(z.tuple([z.string(), z.number()])),
  bytes: z.number(),
  open: z.number(),
  ended: z.number(),
});

const usedSchema = z.object({ cpuMs: z.number(), memoryBytes: z.number() });

async function startCopy(connectionString: string): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(fileURLToPath(new URL('./pit-wall-copy.ts', import.meta.url)), [connectionString], {
    execArgv: ['--import', fileURLToPath(new URL('../tests/load-sources.mjs', import.meta.url))],
  });
  return { child, ...(await hear(child, z.object({ port: z.number() }))) };
}

async function askUsed(child: ChildProcess): Promise<z.infer<typeof usedSchema>> {
  child.send('end');
  return await hear(child, usedSchema);
}

async function hear<Schema extends z.ZodType>(
  child: ChildProcess,
  schema: Schema,
): Promise<z.output<Schema>> {
  const [message]: unknown[] = await once(child, 'message');
  return schema.parse(message);
}

async function startDrivers(
  db: Parameters<typeof insertSignedIn>[0],
  trackId: string,
  port: number,
): Promise<Driver[]> {
  const drivers: Driver[] = [];
  for (let index = 0; index < DRIVERS; index += 1) {
    const who = await insertSignedIn(db, { displayName: `Driver ${index + 1}` });
    const code = drivers[0]?.sharing.code;
    const body = { trackId, visibility: 'link', ...(code !== undefined && { code }) };
    const response = await post(port, who, { path: '/api/live/sharing', body });
    const sharing: LiveSharing = await response.json();
    // Each is somewhere else on the track.
    const { batches } = driveLive({ seed: index + 1, laps: 3, styleSeed: index, rateHz: RATE_HZ });
    drivers.push({ who, sharing, batches: batches.slice(index % 20) });
  }
  return drivers;
}

type SentBatches = {
  at: Map<string, number>;
  answerMs: number[];
  /** Says how long a call takes meanwhile that asks the database for one number: what the computer itself takes. */
  idleMs: number[];
  refused: number;
};

/** Sends one batch a second of each driver, at moments spread over the second, with the fixes of that second. */
async function sendFor(
  drivers: readonly Driver[],
  ports: readonly number[],
  seconds: number,
  from: number,
): Promise<SentBatches> {
  const sent: SentBatches = { at: new Map(), answerMs: [], idleMs: [], refused: 0 };
  const startMs = Date.now();
  await Promise.all([
    probe(ports, { sent, untilMs: startMs + 1_000 * seconds }),
    ...drivers.map(async (driver, index) => {
      for (let second = 0; second < seconds; second += 1) {
        const dueMs = startMs + 1_000 * second + (1_000 * index) / drivers.length;
        await wait(Math.max(0, dueMs - Date.now()));
        await sendBatch(driver, from + second, { ports, sent, number: index + 1 });
      }
    }),
  ]);
  return sent;
}

const PROBE_EVERY_MS = 100;

async function probe(
  [port = 0]: readonly number[],
  { sent, untilMs }: { sent: SentBatches; untilMs: number },
): Promise<void> {
  while (Date.now() < untilMs) {
    const startMs = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/api/ready`);
    await response.arrayBuffer();
    sent.idleMs.push(performance.now() - startMs);
    await wait(PROBE_EVERY_MS);
  }
}

type Sending = { ports: readonly number[]; sent: SentBatches; number: number };

/** Rounds as the server does for a map. */
const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;

async function sendBatch(
  { who, sharing, batches }: Driver,
  second: number,
  { ports, sent, number }: Sending,
): Promise<void> {
  const batch = batches[second % batches.length] ?? [];
  // The fixes are of now, whatever the time of the simulated drive.
  const shiftMs = Date.now() - (batch.at(-1)?.[0] ?? 0);
  const fixes = batch.map(([at, ...rest]): LiveFix => [at + shiftMs, ...rest]);
  const [, lat = 0, lon = 0] = fixes.at(-1) ?? [];
  const atMs = performance.timeOrigin + performance.now();
  sent.at.set(`${number} ${round(lat)} ${round(lon)}`, atMs);
  const port = ports[second % ports.length] ?? 0;
  const body = { sharingId: sharing.sharingId, fixes };
  const response = await post(port, who, { path: '/api/live/sharing/fixes', body });
  sent.answerMs.push(performance.timeOrigin + performance.now() - atMs);
  if (response.status !== 200) sent.refused += 1;
  await response.arrayBuffer();
}

function post(
  port: number,
  who: SignedIn,
  { path, body }: { path: string; body: object },
): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { ...who.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

type Measured = {
  sent: SentBatches;
  seen: z.infer<typeof seenSchema>;
  used: z.infer<typeof usedSchema>[];
};

const share = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN).toFixed(0);

function print(count: number, { sent, seen, used }: Measured): void {
  const delays = seen.arrivals
    .flatMap(([key, at]) => {
      const sentAt = sent.at.get(key);
      return sentAt === undefined ? [] : [at - sentAt];
    })
    .toSorted((a, b) => a - b);
  const answers = sent.answerMs.toSorted((a, b) => a - b);
  const idle = sent.idleMs.toSorted((a, b) => a - b);
  const cpu = Math.max(...used.map(({ cpuMs }) => cpuMs)) / (1_000 * MEASURED_SECONDS);
  const memory = Math.max(...used.map(({ memoryBytes }) => memoryBytes)) / 2 ** 20;
  const rate = seen.bytes / WATCHERS / MEASURED_SECONDS / 1024;
  console.log(
    `| ${count} | ${share(delays, 0.5)} | ${share(delays, 0.95)} | ${share(delays, 1)} | ${share(answers, 0.95)} | ${share(idle, 0.95)} | ${(100 * cpu).toFixed(0)} % | ${memory.toFixed(0)} MiB | ${rate.toFixed(1)} | ${sent.refused} |`,
  );
  const expected = sent.at.size * READERS;
  console.log(
    `\n${delays.length} of ${expected} positions on ${READERS} walls were timed; ${seen.open - seen.ended} of ${seen.open} streams are open.\n`,
  );
}
