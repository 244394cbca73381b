import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { z } from 'zod';
import { carModelSchema } from '#contract/cars/schemas.ts';
import { seededRandom } from '#engine/simulation/random.ts';
import { openDatabase } from '#server/kernel/database/database.ts';
import { LIBRARY } from '../library.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { startCitusServers } from '../replica/citus-servers.ts';
import { findFreePort } from '#server/kernel/process/free-port.ts';
import { act } from './act.ts';
import { comeIn } from './changing.ts';
import { medianOf, readFigures, type Figures } from './figures.ts';
import { growthOf, reviewSoak } from './review-soak.ts';
import { call, type Soak } from './soak.ts';

// `npm run soak -- [minutes] [--citus]`: a community on the built server, reading and changing everything at a bounded rate, while every
// board is compared with what it must be; on the embedded database, on that of DATABASE_URL, or on a Citus of three nodes, started from the
// programs in PITBOARD_POSTGRES_BIN. Fails on a wrong board, an answer that is an error, or memory that grows.

const DEFAULT_MINUTES = 30;
const DRIVERS = 40;
const TRACKS = 8;
const CALLS_PER_SECOND = Number(process.env['SOAK_RATE'] ?? 12);
const UNDER_WAY_MAX = 24;
const SAMPLE_EVERY_MS = 5_000;
const FAILURES_SHOWN = 20;
const CITUS_PROGRAMS = '/usr/lib/postgresql/15/bin';

const runningSchema = z.object({ connectionString: z.string() });

const { values, positionals } = parseArgs({
  options: { citus: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const minutes = Number(positionals[0] ?? DEFAULT_MINUTES);
if (!(minutes > 0)) throw new Error('Usage: npm run soak -- [minutes] [--citus]');
const citus = values.citus
  ? await startCitusServers(process.env['PITBOARD_POSTGRES_BIN'] ?? CITUS_PROGRAMS)
  : null;
const databaseUrl = citus?.connectionString ?? process.env['DATABASE_URL'];
const metricsPort = await findFreePort();
const pitboard = await startPitboard({
  environment: {
    METRICS_PORT: String(metricsPort),
    LOG_LEVEL: 'warn',
    ...(databaseUrl && { DATABASE_URL: databaseUrl, COOKIE_SECRET: randomUUID() }),
  },
});
let isGood = false;
try {
  isGood = await soakFor(minutes, pitboard, `http://127.0.0.1:${metricsPort}/metrics`);
} finally {
  await pitboard.remove();
  await citus?.remove();
}
process.exit(isGood ? 0 : 1);

async function soakFor(lengthMinutes: number, { url, dataFolder }: Pitboard, metricsUrl: string) {
  const database = openDatabase(databaseUrl ?? (await findEmbedded(dataFolder)));
  const soak = await openSoak(url, database.db);
  const samples: Figures[] = [];
  const beganAtMs = Date.now();
  const endsAtMs = beganAtMs + lengthMinutes * 60_000;
  console.log(
    `${DRIVERS} drivers on ${TRACKS} tracks, ${CALLS_PER_SECOND} actions a second, for ${lengthMinutes} minutes.`,
  );
  const underWay = new Set<Promise<void>>();
  let nextSampleAtMs = beganAtMs;
  while (Date.now() < endsAtMs) {
    if (Date.now() >= nextSampleAtMs) {
      samples.push(await readFigures(metricsUrl));
      nextSampleAtMs += SAMPLE_EVERY_MS;
      if (samples.length % 60 === 0) tellProgress(soak, samples);
    }
    if (underWay.size < UNDER_WAY_MAX) {
      const action = act(soak).finally(() => underWay.delete(action));
      underWay.add(action);
    }
    await sleep(1000 / CALLS_PER_SECOND);
  }
  await Promise.all(underWay);
  await database.close();
  return report(soak, samples, lengthMinutes);
}

async function findEmbedded(dataFolder: string): Promise<string> {
  const running = await readFile(join(dataFolder, 'running.json'), 'utf8');
  return runningSchema.parse(JSON.parse(running)).connectionString;
}

async function openSoak(url: string, db: Soak['db']): Promise<Soak> {
  const tracks = LIBRARY.filter(({ outline, startFinishLine }) => outline && startFinishLine)
    .toSorted((a, b) => (a.lengthMeters ?? Infinity) - (b.lengthMeters ?? Infinity))
    .slice(0, TRACKS);
  const picture = sharp({ create: { width: 1280, height: 960, channels: 3, background: '#c03020' } });
  const photo = new Blob([new Uint8Array(await picture.jpeg().toBuffer())]);
  const soak: Soak = {
    url,
    db,
    random: seededRandom(1),
    tracks,
    models: [],
    photo,
    drivers: [],
    changes: new Map(),
    busy: new Set(),
    counts: {
      calls: 0,
      changes: 0,
      boardsJudged: 0,
      boardsUnjudged: 0,
      unchanged: 0,
      wrongBoards: 0,
      serverErrors: 0,
    },
    failures: [],
    tagged: new Map(),
  };
  const searches = ['mx-5', 'bmw m', '911'].map((words) =>
    call(soak, null, ['GET', `/api/car-library/search?q=${encodeURIComponent(words)}`]),
  );
  soak.models = (await Promise.all(searches)).flatMap((found) =>
    z.array(carModelSchema).parse(found).slice(0, 3),
  );
  for (let driver = 0; driver < DRIVERS; driver++) soak.drivers.push(await comeIn(db));
  return soak;
}

function tellProgress({ counts, failures }: Soak, samples: readonly Figures[]): void {
  const { residentBytes, heapBytes } = samples.at(-1) ?? { residentBytes: Number.NaN, heapBytes: Number.NaN };
  const time = `${Math.round((samples.length * SAMPLE_EVERY_MS) / 60_000)} min`;
  console.log(
    `${time}: ${counts.calls} calls, ${counts.boardsJudged} boards judged, ${failures.length} failures, ${megabytes(residentBytes)} in all, heap ${megabytes(heapBytes)}`,
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function report(soak: Soak, samples: readonly Figures[], lengthMinutes: number): boolean {
  const { memory, heap, files } = growthOf(samples);
  const delays = samples
    .map(({ loopDelayP99Seconds }) => 1000 * loopDelayP99Seconds)
    .toSorted((a, b) => a - b);
  const median = delays[Math.floor(delays.length / 2)] ?? Number.NaN;
  console.log(JSON.stringify(soak.counts));
  console.log(`Memory, warm and at the end: ${megabytes(memory.warm)} → ${megabytes(memory.end)}`);
  console.log(`Heap after collections: ${megabytes(heap.warm)} → ${megabytes(heap.end)}`);
  console.log(`Open files: ${files.warm} → ${files.end}; connections: ${medianOf(samples, 'connections')}`);
  console.log(
    `Delay of the event loop, p99 of each 5 s: median ${median.toFixed(1)} ms, worst ${delays.at(-1)?.toFixed(1)} ms`,
  );
  const complaints = reviewSoak(soak, samples, lengthMinutes);
  for (const complaint of complaints.slice(0, FAILURES_SHOWN)) console.log(`FAILED: ${complaint}`);
  console.log(complaints.length === 0 ? 'Good.' : `Not good: ${complaints.length} failures.`);
  return complaints.length === 0;
}
