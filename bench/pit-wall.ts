import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { LIVE_LIMITS } from '#contract/live/labels.ts';
import type { LiveFix, LiveSharing } from '#contract/live/schemas.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { insertKartTrack } from '#server/testing/kart-uploads.ts';
import { roundDegrees } from '#server/model/live/live-state.ts';
import { driveLive } from '#server/testing/live-drive.ts';
import { openEmptyDatabase } from './board-database.ts';

// Measures the time from a fix on a driver's phone, which sends fixes in batches, to the walls of those who watch, without the network between, with one and with two copies of the server. The
// batches of each driver come to the copies in turn, as a load balancer spreads them. Watchers and drivers run on the same computer.

const WATCHERS = 1_000;
const READERS = 40;
const DRIVERS = 50;
const RATE_HZ = 10;
const WARM_UP_SECONDS = 12;
const MEASURED_SECONDS = 30;

type Driver = {
  number: number;
  who: SignedIn;
  sharing: LiveSharing;
  fixes: LiveFix[];
  sentFixes: number;
  sentBatches: number;
  /** Names the places that batches have ended with. */
  places: Set<string>;
};

// Each driver has driven this long before, so each is on a lap: walls get no place of another driver.
const DRIVEN_MIN_SECONDS = 8;

// The sender of the pages waits as long.
const PAUSE_MIN_MS = 100;

export async function run(): Promise<void> {
  console.log(
    `${WATCHERS} watchers, ${DRIVERS} drivers at ${RATE_HZ} Hz, a batch every ${LIVE_LIMITS.batchEveryMs} ms each; ${MEASURED_SECONDS} s:\n`,
  );
  console.log(
    '| copies | fix to wall, ms: median | 95 % | longest | to the answer, 95 % | a call that only asks whether the server is ready, 95 % | CPU of a copy | memory of a copy | KiB/s to a watcher | refused |',
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
    await sendFor(drivers, ports, WARM_UP_SECONDS);
    for (const { child } of copies) child.send('begin');
    watchers.send('begin');
    const sent = await sendFor(drivers, ports, MEASURED_SECONDS);
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
  /** The wall, the driver with the place, and the moment. */
  arrivals: z.array(z.tuple([z.number(), z.string(), z.number()])),
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
    const number = index + 1;
    const who = await insertSignedIn(db, { displayName: `Driver ${number}` });
    const code = drivers[0]?.sharing.code;
    const body = { trackId, visibility: 'link', ...(code !== undefined && { code }) };
    const response = await post(port, { who, number }, { path: '/api/live/sharing', body });
    const sharing: LiveSharing = await response.json();
    // Each is somewhere else on the track.
    const { fixes } = driveLive({ seed: number, laps: 3, styleSeed: index, rateHz: RATE_HZ });
    const driven = (DRIVEN_MIN_SECONDS + (index % 20)) * RATE_HZ;
    const driver = { number, who, sharing, fixes, sentFixes: 0, sentBatches: 0, places: new Set<string>() };
    const startMs = nowMs() - (1_000 * driven) / RATE_HZ;
    const fixAtMs = Array.from({ length: driven }, (_, fix) => startMs + (1_000 * fix) / RATE_HZ);
    await sendFixes(driver, takeFixes(driver, fixAtMs), port);
    drivers.push(driver);
  }
  return drivers;
}

/** Names the position that a batch ends with, and when each of its fixes came to the phone. */
type SentBatch = { key: string; number: number; fixAtMs: number[] };

type Sent = {
  batches: SentBatch[];
  answerMs: number[];
  /** Says how long a call takes meanwhile that asks the database for one number: what the computer itself takes. */
  idleMs: number[];
  refused: number;
};

type Sending = { ports: readonly number[]; sent: Sent; untilMs: number };

/** Lets each driver's fixes come one by one, and sends them as a phone does. */
async function sendFor(drivers: readonly Driver[], ports: readonly number[], seconds: number): Promise<Sent> {
  const sent: Sent = { batches: [], answerMs: [], idleMs: [], refused: 0 };
  const sending = { ports, sent, untilMs: nowMs() + 1_000 * seconds };
  await Promise.all([probe(sending), ...drivers.map((driver) => drive(driver, sending))]);
  return sent;
}

/** Moments that two processes of one computer can compare. */
const nowMs = (): number => performance.timeOrigin + performance.now();

/** Sends every half second, and not before the answer to the batch before, all fixes that have come. */
async function drive(driver: Driver, sending: Sending): Promise<void> {
  const fixEveryMs = 1_000 / RATE_HZ;
  // Neither fixes nor batches of all drivers come at one moment.
  let fixAtMs = nowMs() + Math.random() * fixEveryMs;
  let dueMs = nowMs() + Math.random() * LIVE_LIMITS.batchEveryMs;
  while (dueMs < sending.untilMs) {
    await wait(Math.max(0, dueMs - nowMs()));
    const batch: SentBatch = { key: '', number: driver.number, fixAtMs: [] };
    for (; fixAtMs <= nowMs(); fixAtMs += fixEveryMs) batch.fixAtMs.push(fixAtMs);
    dueMs = Math.max(nowMs() + PAUSE_MIN_MS, dueMs + LIVE_LIMITS.batchEveryMs);
    if (batch.fixAtMs.length > 0) await sendBatch(driver, batch, sending);
  }
}

async function sendBatch(driver: Driver, batch: SentBatch, { ports, sent }: Sending): Promise<void> {
  const fixes = takeFixes(driver, batch.fixAtMs);
  driver.sentBatches += 1;
  sent.batches.push({ ...batch, key: markPlace(driver, fixes) });
  const startMs = nowMs();
  const port = ports[driver.sentBatches % ports.length] ?? 0;
  const isTaken = await sendFixes(driver, fixes, port);
  sent.answerMs.push(nowMs() - startMs);
  if (!isTaken) sent.refused += 1;
}

/** Takes the next fixes of the simulated drive, as of other moments. */
function takeFixes(driver: Driver, fixAtMs: readonly number[]): LiveFix[] {
  const fixes = driver.fixes.slice(driver.sentFixes, driver.sentFixes + fixAtMs.length);
  if (fixes.length < fixAtMs.length) throw new Error('The simulated drive is over.');
  driver.sentFixes += fixes.length;
  return fixes.map(([, ...place], index) => [fixAtMs[index] ?? 0, ...place]);
}

/** Returns the name of the place that a batch ends with, and moves it by a metre where the driver has been there before. */
function markPlace({ places }: Driver, fixes: LiveFix[]): string {
  const last = fixes.at(-1) ?? [0, 0, 0, 0, null];
  const name = (): string => `${roundDegrees(last[1])} ${roundDegrees(last[2])}`;
  while (places.has(name())) last[1] += 1e-5;
  places.add(name());
  return name();
}

async function sendFixes(driver: Driver, fixes: LiveFix[], port: number): Promise<boolean> {
  const body = { sharingId: driver.sharing.sharingId, fixes };
  const response = await post(port, driver, { path: '/api/live/sharing/fixes', body });
  const { taken } = z.object({ taken: z.int().optional() }).parse(await response.json());
  return taken === fixes.length;
}

const PROBE_EVERY_MS = 100;

async function probe({ ports: [port = 0], sent, untilMs }: Sending): Promise<void> {
  while (nowMs() < untilMs) {
    const startMs = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/api/ready`);
    await response.arrayBuffer();
    sent.idleMs.push(performance.now() - startMs);
    await wait(PROBE_EVERY_MS);
  }
}

function post(
  port: number,
  { who, number }: Pick<Driver, 'who' | 'number'>,
  { path, body }: { path: string; body: object },
): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    // Each has an address of its own behind a proxy, as on a phone.
    headers: { ...who.headers, 'content-type': 'application/json', 'x-forwarded-for': `10.1.0.${number}` },
    body: JSON.stringify(body),
  });
}

type Measured = {
  sent: Sent;
  seen: z.infer<typeof seenSchema>;
  used: z.infer<typeof usedSchema>[];
};

const share = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN).toFixed(0);

function print(count: number, { sent, seen, used }: Measured): void {
  const { delays, missing } = measureDelays(sent.batches, seen.arrivals);
  const answers = sent.answerMs.toSorted((a, b) => a - b);
  const idle = sent.idleMs.toSorted((a, b) => a - b);
  const cpu = Math.max(...used.map(({ cpuMs }) => cpuMs)) / (1_000 * MEASURED_SECONDS);
  const memory = Math.max(...used.map(({ memoryBytes }) => memoryBytes)) / 2 ** 20;
  const rate = seen.bytes / WATCHERS / MEASURED_SECONDS / 1024;
  console.log(
    `| ${count} | ${share(delays, 0.5)} | ${share(delays, 0.95)} | ${share(delays, 1)} | ${share(answers, 0.95)} | ${share(idle, 0.95)} | ${(100 * cpu).toFixed(0)} % | ${memory.toFixed(0)} MiB | ${rate.toFixed(1)} | ${sent.refused} |`,
  );
  console.log(
    `\n${delays.length} fixes on ${READERS} walls were timed, ${missing} did not come; ${seen.open - seen.ended} of ${seen.open} streams are open.\n`,
  );
}

/** Returns for every fix and wall how long it took until that place of the driver, or a later one, came to the wall. */
function measureDelays(batches: readonly SentBatch[], arrivals: z.infer<typeof seenSchema>['arrivals']) {
  const arrivedAt = new Map(arrivals.map(([reader, place, at]) => [`${reader} ${place}`, at]));
  const delays: number[] = [];
  let missing = 0;
  for (let reader = 0; reader < READERS; reader += 1)
    for (let number = 1; number <= DRIVERS; number += 1) {
      const sent = batches.filter((batch) => batch.number === number);
      let atMs = Number.NaN;
      // A wall gets the last place of a driver: one that was passed over counts as there with the next.
      for (const { key, fixAtMs } of sent.toReversed()) {
        atMs = arrivedAt.get(`${reader} ${number} ${key}`) ?? atMs;
        if (Number.isNaN(atMs)) missing += fixAtMs.length;
        else for (const fixMs of fixAtMs) delays.push(atMs - fixMs);
      }
    }
  delays.sort((a, b) => a - b);
  return { delays, missing };
}
