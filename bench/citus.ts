import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { type LapId, lapIdSchema, type TrackId, userIdSchema } from '#contract/ids.ts';
import { seededRandom } from '#engine/simulation/random.ts';
import { getBoardSummary, listBoard } from '#server/model/boards/board-store.ts';
import { viewLap } from '#server/model/laps/view-lap.ts';
import { distribute } from '#server/kernel/database/distribute.ts';
import { openDatabase, type OpenDatabase } from '#server/kernel/database/database.ts';
import { startEmbeddedPostgres } from '#server/kernel/database/embedded-postgres.ts';
import { migrate } from '#server/kernel/database/migrate.ts';
import { CITUS_NODES, createCitusDatabase, runOn, startCitusNodes } from '#server/testing/citus-nodes.ts';
import { BUSY_TRACK, type CommunitySize, fillCommunity } from '#server/testing/community.ts';
import { LARGE, QUICK_TO_FILL } from './board-database.ts';
import { FILTERS, listDrivers, PAGE_ENTRIES, picker, readSize, storeSession } from './boards.ts';

// This compares the same community on one PostgreSQL and on a Citus of three nodes, on this machine and from the same
// programs: `npm run bench -- boards --citus`. Every call is measured on both in turns, so that other work on the
// machine slows both alike: the ratio is what counts.

const LAPS = 1_000_000;
const RUNS = 101;
const WARM_UPS = 10;
const UPLOADERS = 8;
const INGESTION_MS = 15_000;
const LAPS_PER_SESSION = 12;

type Side = { name: string; database: OpenDatabase; folders: string[]; close: () => Promise<void> };

export async function run(): Promise<void> {
  const binFolder = findPrograms();
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-bench-'));
  const size = readSize() ?? { ...LARGE, laps: LAPS };
  const [processor] = cpus();
  const gibibytes = (totalmem() / 2 ** 30).toFixed(1);
  console.log(`${size.laps} laps; ${cpus().length} cores of ${processor?.model}, ${gibibytes} GiB.`);
  const sides: Side[] = [];
  try {
    const starting = [startSingle, startCitus].map((start) => start(folder, binFolder, size));
    for (const started of await Promise.allSettled(starting)) {
      if (started.status === 'fulfilled') sides.push(started.value);
    }
    await Promise.all(starting);
    await compareCalls(sides);
    for (const side of sides) {
      const { rows } = await side.database.pool.query<{ id: TrackId }>('SELECT id FROM tracks ORDER BY id');
      await measureIngestion(side, rows);
      await measureIngestion(side, [{ id: BUSY_TRACK }]);
    }
  } finally {
    for (const { close } of sides) await close();
    await rm(folder, { recursive: true, force: true });
  }
}

function findPrograms(): string {
  const named = process.env['PITBOARD_POSTGRES_BIN'];
  const folders = [17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin`);
  const found = named ?? folders.find((bin) => existsSync(join(bin, '..', 'lib', 'citus.so')));
  if (found !== undefined) return found;
  throw new Error(
    'This needs a PostgreSQL with Citus: name its folder of programs in PITBOARD_POSTGRES_BIN.',
  );
}

async function startSingle(parent: string, binFolder: string, size: CommunitySize): Promise<Side> {
  const folder = join(parent, 'single');
  const server = await startEmbeddedPostgres({ folder, binFolder, settings: QUICK_TO_FILL });
  await migrate(server.connectionString);
  const database = openDatabase(server.connectionString, { silenceMaxMs: 0 });
  await timeStep('One PostgreSQL filled', () => fillCommunity(database.pool, size));
  const close = () => database.close().then(() => server.stop());
  return { name: 'one PostgreSQL', database, folders: [folder], close };
}

/** Filled before its tables are spread: Citus checks foreign keys of every row that comes later. */
async function startCitus(parent: string, binFolder: string, size: CommunitySize): Promise<Side> {
  const nodes = await startCitusNodes(parent, binFolder, QUICK_TO_FILL);
  const address = await createCitusDatabase(nodes.connectionStrings, 'pitboard');
  await migrate(address);
  const database = openDatabase(address, { silenceMaxMs: 0 });
  await timeStep('The coordinator filled', () => fillCommunity(database.pool, size));
  await timeStep('Its tables spread', () => distribute(address));
  await timeStep('All of its nodes cleaned up', () => runOn(address, 'VACUUM ANALYZE'));
  const folders = CITUS_NODES.map((name) => join(parent, name));
  return {
    name: 'Citus, three nodes',
    database,
    folders,
    close: () => database.close().then(() => nodes.stop()),
  };
}

async function timeStep(name: string, step: () => Promise<unknown>): Promise<void> {
  const startMs = performance.now();
  await step();
  console.log(`${name} after ${((performance.now() - startMs) / 1000).toFixed(0)} s.`);
}

type Call = (database: OpenDatabase) => Promise<unknown>;

async function compareCalls(sides: readonly Side[]): Promise<void> {
  const [first] = sides;
  if (!first) return;
  const driverIds = await listDrivers(first.database);
  const page = { limit: PAGE_ENTRIES, offset: 0 };
  const calls: Record<string, () => Call> = {};
  for (const name of ['no filter', 'make', 'last year, race class', 'make and family']) {
    const filter = FILTERS[name] ?? {};
    calls[`a board: ${name}`] =
      () =>
      ({ pool }) =>
        listBoard(pool, BUSY_TRACK, filter, { ...page, ownUserId: null });
    calls[`its summary: ${name}`] =
      () =>
      ({ pool }) =>
        getBoardSummary(pool, BUSY_TRACK, filter);
  }
  const pickDriver = picker(driverIds);
  calls['a board with the record of a driver'] = () => {
    const ownUserId = pickDriver();
    return ({ pool }) => listBoard(pool, BUSY_TRACK, {}, { ...page, ownUserId });
  };
  let number = 0;
  calls['to store a session of twelve laps'] = () => {
    const [driver, own] = [pickDriver(), ++number];
    return (database) => storeSession(database, driver, own);
  };
  console.log(`\nMedian / 95th percentile in ms of ${RUNS}, in turns:\n`);
  console.log('| call | one PostgreSQL | Citus | Citus : one |\n| --- | ---: | ---: | ---: |');
  for (const [name, next] of Object.entries(calls)) await compare(name, sides, next);
  const lapIds = new Map<OpenDatabase, LapId[]>();
  for (const { database } of sides) lapIds.set(database, await listLaps(database));
  const random = seededRandom(5);
  await compare('the page of a lap', sides, () => {
    const share = random.uniform();
    return (database) => viewOneLap(database, lapIds.get(database) ?? [], share);
  });
}

/** Lists the same laps on each side, whose ids differ. */
async function listLaps({ pool }: OpenDatabase): Promise<LapId[]> {
  const { rows } = await pool.query(
    "SELECT id FROM laps WHERE track_id = $1 AND status = 'valid' ORDER BY session_id, number LIMIT 1000",
    [BUSY_TRACK],
  );
  return rows.map(({ id }) => lapIdSchema.parse(id));
}

// They are in the trace of the lap, in the storage.
const findUncertaintyParts = (): Promise<null> => Promise.resolve(null);

/** Asks the database what the page of a lap asks. */
async function viewOneLap(database: OpenDatabase, lapIds: readonly LapId[], share: number): Promise<void> {
  const lapId = lapIds[Math.floor(share * lapIds.length)];
  if (lapId === undefined) throw new Error('There is no lap to look at.');
  await viewLap(database, { trackId: BUSY_TRACK, lapId }, { viewer: null, findUncertaintyParts });
}

async function compare(name: string, sides: readonly Side[], next: () => Call): Promise<void> {
  const timesMs: number[][] = sides.map(() => []);
  for (let turn = 0; turn < WARM_UPS + RUNS; turn++) {
    const call = next();
    for (const [index, { database }] of sides.entries()) {
      const startMs = performance.now();
      await call(database);
      if (turn >= WARM_UPS) timesMs[index]?.push(performance.now() - startMs);
    }
  }
  const [single = Number.NaN, citus = Number.NaN] = timesMs.map((times) => at(times, 0.5));
  const cells = timesMs.map((times) => `${at(times, 0.5).toFixed(1)} / ${at(times, 0.95).toFixed(1)}`);
  console.log(`| ${name} | ${cells.join(' | ')} | ${(citus / single).toFixed(2)} |`);
}

function at(timesMs: number[], share: number): number {
  return timesMs.toSorted((a, b) => a - b)[Math.floor(RUNS * share)] ?? Number.NaN;
}

let sessionsStored = 1_000_000;

/** Stores sessions as uploads do it, on some of the tracks at random, and returns the processor time that it takes all servers together. */
async function measureIngestion(
  { name, database, folders }: Side,
  tracks: readonly { id: TrackId }[],
): Promise<void> {
  const { rows: drivers } = await database.pool.query('SELECT id FROM users ORDER BY id LIMIT 5000');
  const pickDriver = picker(drivers.map(({ id }) => userIdSchema.parse(id)));
  const random = seededRandom(3);
  let stored = 0;
  const servers = await readProcessorSeconds(folders);
  const startMs = performance.now();
  const upload = async (): Promise<void> => {
    while (performance.now() - startMs < INGESTION_MS) {
      const track = tracks[Math.floor(random.uniform() * tracks.length)];
      await storeSession(database, pickDriver(), ++sessionsStored, track?.id);
      stored += 1;
    }
  };
  await Promise.all(Array.from({ length: UPLOADERS }, upload));
  const seconds = (performance.now() - startMs) / 1000;
  const busy = (await readProcessorSeconds(folders)) - servers;
  const laps = stored * LAPS_PER_SESSION;
  const where = tracks.length === 1 ? 'one track' : `${tracks.length} tracks`;
  console.log(
    `\n${name}: ${UPLOADERS} at once on ${where} stored ${stored} sessions, ${laps} laps, in ${seconds.toFixed(1)} s: ${(stored / seconds).toFixed(0)} sessions/s, ${(laps / seconds).toFixed(0)} laps/s; ` +
      `PostgreSQL was busy for ${busy.toFixed(1)} s of a core: ${(laps / busy).toFixed(0)} laps/s per core of it.`,
  );
}

// Linux counts in hundredths of a second, whatever the processor.
const TICKS_PER_SECOND = 100;

/** Returns what the servers in `folders` have used, with all their processes that live or have ended. */
async function readProcessorSeconds(folders: readonly string[]): Promise<number> {
  const main = await Promise.all(folders.map(readProcessId));
  const processes = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  let ticks = 0;
  for (const id of processes) {
    const text = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => null);
    if (text === null) continue; // has ended meanwhile
    // The state, the parent and more follow the name in brackets; the 12th to 15th are the times of itself and of its
    // ended children.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const isMain = main.includes(id);
    if (!isMain && !main.includes(fields[1] ?? '')) continue;
    ticks += fields.slice(11, isMain ? 15 : 13).reduce((sum, field) => sum + Number(field), 0);
  }
  return ticks / TICKS_PER_SECOND;
}

async function readProcessId(folder: string): Promise<string> {
  const [id = ''] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n', 1);
  return id.trim();
}
