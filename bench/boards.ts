import { createHash, randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { lapIdSchema, userIdSchema, type UserId } from '#contract/ids.ts';
import type { BoardFilter } from '#contract/boards/filter.ts';
import { seededRandom } from '#engine/simulation/random.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { type BoardPage, getBoardSummary, listBoard } from '#server/model/boards/board-store.ts';
import { changeLaps } from '#server/model/boards/change-laps.ts';
import { insertLapFile, insertSession, upsertLaps } from '#server/model/laps/lap-file-store.ts';
import { BUSY_TRACK, type CommunitySize } from '#server/testing/community.ts';
import { LARGE, openBoardDatabase } from './board-database.ts';
import { compareWithConstant, openBenchApp } from './serving.ts';

// This measures how fast the boards of the busiest track are: built by the database under every filter, built again
// after each new lap, and served again while nothing has changed. What is served is set against the same server
// answering the same bytes from a constant. `npm run bench -- boards --laps 10000000` takes another community than the
// small one.

const QUERY_RUNS = 101;
export const PAGE_ENTRIES = 50;

export const FILTERS: Record<string, BoardFilter> = {
  'no filter': {},
  'race class': { raceClass: 'GT' },
  drivetrain: { drivetrain: 'RWD' },
  make: { make: 'Make 3' },
  'make and family': { make: 'Make 3', modelFamily: 'Family 3' },
  'make, family and variant': { make: 'Make 3', modelFamily: 'Family 3', variant: 'Variant 3' },
  generation: { generation: 'G1' },
  tyres: { tire: 'rcomp' },
  'tyres and drivetrain': { tire: 'rcomp', drivetrain: 'RWD' },
  'last month': { timePeriod: '1-month' },
  'last 6 months': { timePeriod: '6-months' },
  'last year': { timePeriod: '1-year' },
  'last year, race class': { timePeriod: '1-year', raceClass: 'GT' },
  'last year, tyres, drivetrain': { timePeriod: '1-year', tire: 'rcomp', drivetrain: 'RWD' },
  'last month, make': { timePeriod: '1-month', make: 'Make 3' },
};

type Measured = { medianMs: number; p95Ms: number };

export async function run(): Promise<void> {
  const { database, close } = await openBoardDatabase(readSize());
  try {
    await describe(database);
    const driverIds = await listDrivers(database);
    await measureFilters(database, driverIds);
    await measureNewLaps(database, driverIds);
    const path = `/api/laps/track/${BUSY_TRACK}/best?limit=${PAGE_ENTRIES}`;
    await compareWithConstant(database, { path, name: 'a board' });
  } finally {
    await close();
  }
}

/** Reads the community that `--laps` asks for. */
export function readSize(): CommunitySize | undefined {
  const { laps } = parseArgs({ options: { laps: { type: 'string' } }, strict: false }).values;
  return typeof laps === 'string' ? { ...LARGE, laps: Number(laps) } : undefined;
}

async function describe({ pool }: OpenDatabase): Promise<void> {
  const { rows } = await pool.query<{ name: string; rows: string; bytes: string; perLap: string }>(`
    SELECT relname AS name, reltuples::bigint AS rows, pg_size_pretty(pg_total_relation_size(oid)) AS bytes,
      round(pg_total_relation_size(oid) / (SELECT reltuples FROM pg_class WHERE relname = 'laps')) AS "perLap"
    FROM pg_class WHERE relname IN ('laps', 'sessions', 'session_bests', 'lap_files') ORDER BY 1`);
  console.log('| table | rows | with indexes | bytes per lap |\n| --- | ---: | ---: | ---: |');
  for (const { name, rows: count, bytes, perLap } of rows)
    console.log(`| ${name} | ${count} | ${bytes} | ${perLap} |`);
  const busy = await pool.query<{ laps: number; sessions: number; drivers: number; bestInCar: number }>(
    `SELECT sum(lap_count)::int AS laps, count(*)::int AS sessions, count(DISTINCT user_id)::int AS drivers,
       count(same_car_lap_count)::int AS "bestInCar"
     FROM session_bests WHERE track_id = $1`,
    [BUSY_TRACK],
  );
  console.log(`\nThe busiest track: ${JSON.stringify(busy.rows[0])}\n`);
}

export async function listDrivers({ pool }: OpenDatabase): Promise<UserId[]> {
  const { rows } = await pool.query(
    'SELECT DISTINCT user_id AS id FROM session_bests WHERE track_id = $1 ORDER BY 1',
    [BUSY_TRACK],
  );
  return rows.map(({ id }) => userIdSchema.parse(id));
}

async function measureFilters(database: OpenDatabase, driverIds: readonly UserId[]): Promise<void> {
  console.log(`Pages of ${PAGE_ENTRIES} made by the database, median / 95th percentile in ms:\n`);
  console.log(
    '| filter | first page | with the record of any driver | summary |\n| --- | ---: | ---: | ---: |',
  );
  const { pool } = database;
  const list = (filter: BoardFilter, page: Partial<BoardPage>) =>
    listBoard(pool, BUSY_TRACK, filter, { limit: PAGE_ENTRIES, offset: 0, ownUserId: null, ...page });
  for (const [name, filter] of Object.entries(FILTERS)) {
    const pickDriver = picker(driverIds);
    const measured = [
      await measure(() => list(filter, {})),
      await measure(() => list(filter, { ownUserId: pickDriver() })),
      await measure(() => getBoardSummary(pool, BUSY_TRACK, filter)),
    ];
    console.log(`| ${name} | ${measured.map(format).join(' | ')} |`);
  }
  const random = seededRandom(1);
  const deep = await measure(() => list({}, { offset: Math.floor(random.uniform() * driverIds.length) }));
  console.log(`| no filter, a page anywhere | ${format(deep)} | | |`);
  const blocksBefore = await countBlocks(database);
  for (let page = 0; page < QUERY_RUNS; page++) await list({}, {});
  const blocks = (await countBlocks(database)) - blocksBefore;
  console.log(`\nA first page reads ${(blocks / QUERY_RUNS).toFixed(0)} blocks of 8 KiB.`);
}

async function countBlocks({ pool }: OpenDatabase): Promise<number> {
  // The call uses the same connection, which otherwise says what it has read once a second: the pool gives the one that
  // was used last.
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ blocks: number }>(
    'SELECT (blks_hit + blks_read)::float8 AS blocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.blocks ?? Number.NaN;
}

/** Each time a session of twelve laps is stored as an upload does it; then the board is asked of the server. */
async function measureNewLaps(database: OpenDatabase, driverIds: readonly UserId[]): Promise<void> {
  const { app, close } = await openBenchApp(database);
  const pickDriver = picker(driverIds);
  const url = `/api/laps/track/${BUSY_TRACK}/best?limit=${PAGE_ENTRIES}`;
  let number = 0;
  const store = await measure(() => storeSession(database, pickDriver(), ++number));
  const board = await measure(
    () => app.inject(url),
    () => storeSession(database, pickDriver(), ++number),
  );
  await close();
  console.log('\n| after a new session of twelve laps | ms |\n| --- | ---: |');
  console.log(
    `| to store it, with its bests | ${format(store)} |\n| the board, of the server | ${format(board)} |`,
  );
}

/** Stores a session of twelve laps as an upload does. */
export async function storeSession(
  { db }: OpenDatabase,
  userId: UserId,
  number: number,
  trackId = BUSY_TRACK,
): Promise<void> {
  const sha256 = createHash('sha256').update(`new ${number}`).digest('hex');
  const startedAt = new Date();
  const of = { trackId, userId };
  await db.transaction(async (tx) => {
    await insertLapFile(tx, {
      sha256,
      positionsHash: sha256,
      roundedHashes: [],
      storageKey: sha256,
      userId,
      fileName: 'laps.csv',
      byteCount: 1,
      format: 'generic-csv',
    });
    await changeLaps(tx, { trackId, userIds: [userId] }, async () => {
      const sessionId = await insertSession(tx, {
        ...of,
        userCarId: null,
        tireCompound: 'rcomp',
        videoUrl: null,
        startedAt,
        sessionDate: startedAt.toISOString(),
        gpsRateHz: 10,
        droppedCounts: {},
        engineVersion: 'bench',
        lapFileSha256: sha256,
      });
      const laps = Array.from({ length: 12 }, (_, index) => ({
        number: index + 1,
        id: lapIdSchema.parse(randomUUID()),
        lapTimeMs: 70_000 + index,
        uncertaintyMs: 5,
        status: 'valid' as const,
        reasons: [],
        sectorTimesMs: [],
        startedAt,
        positionsHash: `${sha256.slice(0, 20)}.${index}`,
      }));
      await upsertLaps(tx, { trackId, sessionId }, laps);
    });
  });
}

export function picker(driverIds: readonly UserId[]): () => UserId {
  const random = seededRandom(7);
  return () => {
    const driverId = driverIds[Math.floor(random.uniform() * driverIds.length)];
    if (driverId === undefined) throw new Error('There is no driver to choose.');
    return driverId;
  };
}

async function measure(task: () => Promise<unknown>, before?: () => Promise<unknown>): Promise<Measured> {
  const timesMs: number[] = [];
  for (let i = 0; i < QUERY_RUNS; i++) {
    await before?.();
    const startMs = performance.now();
    await task();
    timesMs.push(performance.now() - startMs);
  }
  timesMs.sort((a, b) => a - b);
  const at = (share: number) => timesMs[Math.floor(QUERY_RUNS * share)] ?? Number.NaN;
  return { medianMs: at(0.5), p95Ms: at(0.95) };
}

function format({ medianMs, p95Ms }: Measured): string {
  return `${medianMs.toFixed(1)} / ${p95Ms.toFixed(1)}`;
}
