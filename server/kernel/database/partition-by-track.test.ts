import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { userIdSchema, type UserId } from '#contract/ids.ts';
import { deleteAccount } from '#server/model/people/delete-people.ts';
import { getBoardSummary, listBoard } from '#server/model/boards/board-store.ts';
import { listTrackBests } from '#server/model/boards/driver-bests-store.ts';
import { listWrongSessionBests } from '#server/testing/session-bests.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { deleteSessionRows, findSessionFile } from '#server/model/laps/session-store.ts';
import { insertSession } from '#server/testing/builders.ts';
import { BUSY_TRACK, fillCommunity } from '#server/testing/community.ts';
import { useTestDatabase } from '#server/testing/test-database.ts';
import { migrate } from './migrate.ts';

// The server gives the same answers on tables that are partitioned by track, as docs/growing.md promises.

const SIZE = { laps: 5_000, drivers: 200, tracks: 12, carModels: 50 };

const opened = useTestDatabase();
let driverId: UserId;

beforeAll(async () => {
  await fillCommunity(opened.database.pool, SIZE);
  const { rows } = await opened.database.pool.query(
    'SELECT user_id FROM session_bests ORDER BY lap_time_ms LIMIT 1',
  );
  driverId = userIdSchema.parse(rows[0].user_id);
});

const count = async (table: string) =>
  Number((await opened.database.pool.query(`SELECT count(*) FROM ${table}`)).rows[0].count);

async function answers() {
  const { pool } = opened.database;
  const page = { limit: 50, offset: 0, ownUserId: driverId };
  return {
    boards: [
      await listBoard(pool, BUSY_TRACK, {}, page),
      await listBoard(pool, BUSY_TRACK, { timePeriod: '1-year', tire: 'rcomp' }, page),
      await listBoard(pool, BUSY_TRACK, { raceClass: 'GT' }, { ...page, limit: null }),
    ],
    summary: await getBoardSummary(pool, BUSY_TRACK, { drivetrain: 'RWD' }),
    bests: await listTrackBests(pool, driverId),
    counts: await Promise.all(['sessions', 'laps', 'session_bests'].map(count)),
  };
}

async function listNames(): Promise<string[]> {
  const { rows } = await opened.database.pool.query(`
    SELECT relname::text AS name FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid
    WHERE indrelid IN ('sessions'::regclass, 'laps'::regclass, 'session_bests'::regclass)
    UNION ALL
    SELECT conname::text || ': ' || pg_get_constraintdef(oid) FROM pg_constraint
    WHERE conrelid IN ('sessions'::regclass, 'laps'::regclass, 'session_bests'::regclass) AND contype IN ('p', 'f')
      AND conparentid = 0
    ORDER BY 1`);
  return rows.map(({ name }) => String(name));
}

test('tables that are partitioned by track give the same answers, and take uploads and removals as before', async () => {
  const { db, pool } = opened.database;
  const before = await answers();
  const names = await listNames();
  await pool.query(await readFile(join(projectFolder, 'deploy', 'partition-by-track.sql'), 'utf8'));
  expect(await answers()).toEqual(before);
  expect(await listNames()).toEqual(names);
  const { rows } = await pool.query(
    "SELECT count(DISTINCT tableoid)::int AS used FROM laps UNION ALL SELECT count(*)::int FROM pg_inherits WHERE inhparent = 'laps'::regclass",
  );
  expect(rows[0].used).toBeGreaterThan(3);
  expect(rows[1].used).toBe(16);

  await migrate(opened.connectionString);
  const sessionId = await insertSession(db, {
    trackId: BUSY_TRACK,
    userId: driverId,
    laps: [{ lapTimeMs: 20_000 }],
  });
  const page = { limit: 1, offset: 0, ownUserId: null };
  expect(await listBoard(pool, BUSY_TRACK, {}, page)).toMatchObject([{ lapTimeMs: 20_000, rank: 1 }]);
  const file = await findSessionFile(db, sessionId);
  expect(file && (await deleteSessionRows(db, file))).toBe(true);
  await deleteAccount(db, driverId);
  expect(await listWrongSessionBests(db)).toEqual([]);
  expect(await listTrackBests(pool, driverId)).toEqual([]);
});

test('a board reads the partition of its track alone', async () => {
  const { rows } = await opened.database.pool.query(
    'EXPLAIN SELECT * FROM session_bests WHERE track_id = $1 AND same_car_lap_count IS NOT NULL ORDER BY lap_time_ms LIMIT 50',
    [BUSY_TRACK],
  );
  const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n');
  expect(plan.match(/on session_bests_\d+/g)).toHaveLength(1);
});
