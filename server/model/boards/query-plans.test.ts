import { escapeLiteral, type Pool } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { userIdSchema, type UserId } from '#contract/ids.ts';
import { BUSY_TRACK, fillCommunity } from '#server/testing/community.ts';
import { useTestDatabase } from '#server/testing/test-database.ts';
import { findBoardVersion } from '#server/model/tracks/board-version-store.ts';
import { listOwnTrackIds } from '#server/model/tracks/track-list-store.ts';
import { type BoardPage, getBoardSummary, listBoard } from './board-store.ts';
import { countRankingLaps, listCarBests, listTrackBests } from './driver-bests-store.ts';

// Enough rows that the planner would rather read a whole table than look up what a query should look up.
const SIZE = { laps: 60_000, drivers: 2_000, tracks: 50, carModels: 500 };

const opened = useTestDatabase();
let driverId: UserId;

beforeAll(async () => {
  await fillCommunity(opened.database.pool, SIZE);
  const { rows } = await opened.database.pool.query(
    'SELECT user_id FROM session_bests WHERE track_id = $1 ORDER BY lap_time_ms DESC LIMIT 1',
    [BUSY_TRACK],
  );
  driverId = userIdSchema.parse(rows[0].user_id);
});

type PlanNode = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: PlanNode[] };

/** How the database answers every query that `ask` makes, whatever values it will be given: table, then how it is read. */
async function plansOf(ask: (pool: Pool) => Promise<unknown>): Promise<{ text: string; reads: string[] }> {
  const client = await opened.database.pool.connect();
  const reads: string[] = [];
  let text = '';
  try {
    // The harder case: PostgreSQL's own cost of an index, which other servers keep.
    await client.query('SET plan_cache_mode = force_generic_plan; SET random_page_cost = 4');
    const explaining = {
      query: async (config: { name: string; text: string; values: Value[] }) => {
        // Explained together with its values, a query would be planned for those.
        await client.query(`PREPARE explained AS ${config.text}`);
        const values = config.values.map(literal).join();
        const explained = await client.query(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE explained(${values})`,
        );
        await client.query('DEALLOCATE explained');
        const [{ Plan: plan }] = explained.rows[0]['QUERY PLAN'];
        const collect = (node: PlanNode): void => {
          if (node['Relation Name']) reads.push(`${node['Relation Name']}: ${node['Node Type']}`);
          node.Plans?.forEach(collect);
        };
        collect(plan);
        text += JSON.stringify(plan, null, 1);
        return await client.query(config);
      },
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Stores call nothing else of a pool.
    await ask(explaining as unknown as Pool);
  } finally {
    client.release(true);
  }
  return { text, reads };
}

type Value = string | number | string[] | null;

function literal(value: Value): string {
  if (value === null) return 'NULL';
  return escapeLiteral(Array.isArray(value) ? `{${value.join()}}` : String(value));
}

const FILTERS = [
  {},
  { raceClass: 'GT' },
  { drivetrain: 'RWD' },
  { make: 'Make 3' },
  { make: 'Make 3', modelFamily: 'Family 3', variant: 'Variant 3', generation: 'G3' },
  { tire: 'rcomp' as const },
  { tire: 'rcomp' as const, raceClass: 'GT' },
  { timePeriod: '1-month' as const },
  { timePeriod: '1-year' as const },
  { timePeriod: '1-year' as const, drivetrain: 'RWD', tire: 'rcomp' as const },
];

test.each(FILTERS)(
  'a page of a board under %j reads no table of laps, sessions or users from end to end',
  async (filter) => {
    for (const ownUserId of [null, driverId]) {
      for (const offset of [0, 300, 3_000]) {
        const page: BoardPage = { limit: 50, offset, ownUserId };
        const { reads } = await plansOf((pool) => listBoard(pool, BUSY_TRACK, filter, page));
        expect(reads).toContain('laps: Index Scan');
        expect(reads.filter(isWhole)).toEqual([]);
      }
    }
  },
);

test.each(FILTERS)('the summary of a board under %j reads session bests by an index', async (filter) => {
  const { reads } = await plansOf((pool) => getBoardSummary(pool, BUSY_TRACK, filter));
  expect(reads.filter(isWhole)).toEqual([]);
});

test('the cars, bests and laps of a driver, and the versions of boards, are found by an index', async () => {
  for (const ask of [
    (pool: Pool) => listCarBests(pool, driverId),
    (pool: Pool) => listTrackBests(pool, driverId),
    (pool: Pool) => countRankingLaps(pool, driverId),
    (pool: Pool) => listOwnTrackIds(pool, driverId),
    (pool: Pool) => findBoardVersion(pool, BUSY_TRACK),
  ]) {
    const { reads } = await plansOf(ask);
    expect(reads.filter(isWhole)).toEqual([]);
  }
});

/** Tracks and car models are few: reading all of them may be the quickest. */
function isWhole(read: string): boolean {
  return /^(laps|sessions|session_bests|users|user_cars): Seq Scan/.test(read);
}
