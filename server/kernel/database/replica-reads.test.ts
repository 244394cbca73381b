import { afterAll, beforeAll, expect, test } from 'vitest';
import { asUserId } from '#contract/testing/ids.ts';
import { insertUser } from '#server/testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/test-database.ts';
import { openDatabase, type OpenDatabase, type Source } from './database.ts';
import { parseLogPosition } from './replay-position-store.ts';

// These tests show where reads go. `npm run test:replica` shows the same on a real replica that lags, fails and is promoted.

const GUEST = { viewer: null, replayPosition: null };
const NOWHERE = 'postgresql://pitboard@127.0.0.1:1/nothing';

let primary: TestDatabase;
let other: TestDatabase;
const opened: OpenDatabase[] = [];

beforeAll(async () => {
  primary = await createTestDatabase();
  other = await createTestDatabase(); // in place of a replica: it differs from the primary
});

afterAll(async () => {
  await Promise.all(opened.map((database) => database.close()));
  await primary.drop();
  await other.drop();
});

function open(
  replicaConnectionString: string,
  onReplicaUnavailable?: (error: unknown) => void,
): OpenDatabase {
  const database = openDatabase(primary.connectionString, {
    replicaConnectionString,
    ...(onReplicaUnavailable && { onReplicaUnavailable }),
  });
  opened.push(database);
  return database;
}

const nameOf = async ({ pool }: Source): Promise<string | undefined> =>
  (await pool.query<{ name: string }>('SELECT current_database() AS name')).rows[0]?.name;

test('without a replica everything is read from the primary', async () => {
  const database = openDatabase(primary.connectionString);
  opened.push(database);
  expect(await database.read(GUEST, nameOf)).toBe(await nameOf(database));
  expect(database.replicaPool).toBeNull();
});

test('a guest, and a driver who has changed nothing, read from the replica; who is ahead of it from the primary', async () => {
  const database = open(other.connectionString);
  const viewer = { id: asUserId('e0a4ba0e-0000-4000-8000-000000000001') };
  const onPrimary = await nameOf(database);
  expect(await database.read(GUEST, nameOf)).not.toBe(onPrimary);
  expect(await database.read({ viewer, replayPosition: null }, nameOf)).not.toBe(onPrimary);
  expect(await database.read({ viewer, replayPosition: 'FFFFFFFF/0' }, nameOf)).toBe(onPrimary);
  expect(await database.read({ viewer, replayPosition: '0/1' }, nameOf)).not.toBe(onPrimary);
});

test('an unreachable replica is reported once, and the primary is read', async () => {
  const reported: unknown[] = [];
  const database = open(NOWHERE, (error) => reported.push(error));
  const names = await Promise.all([1, 2, 3].map(() => database.read(GUEST, nameOf)));
  expect(new Set(names)).toEqual(new Set([await nameOf(database)]));
  expect(reported).toHaveLength(1);
});

test('a table that a migration has not brought to the replica yet is read from the primary; any other error is thrown at once', async () => {
  const database = open(other.connectionString);
  await database.pool.query('CREATE TABLE newest AS SELECT 7 AS number');
  const { rows } = await database.read(GUEST, ({ pool }) =>
    pool.query<{ number: number }>('SELECT number FROM newest'),
  );
  expect(rows).toEqual([{ number: 7 }]);
  let runs = 0;
  const wrong = database.read(GUEST, ({ pool }) => {
    runs += 1;
    return pool.query('SELECT 1 / 0');
  });
  await expect(wrong).rejects.toThrow('division by zero');
  expect(runs).toBe(1);
});

test('the position of a change only rises, and an account that is gone has none', async () => {
  const database = open(other.connectionString);
  const userId = await insertUser(database.db);
  const positions: bigint[] = [];
  for (let change = 0; change < 3; change++) {
    await database.recordReplayPosition(userId);
    const { rows } = await database.pool.query<{ position: string }>(
      'SELECT position::text AS position FROM replay_positions WHERE user_id = $1',
      [userId],
    );
    positions.push(parseLogPosition(rows[0]?.position ?? ''));
    await database.pool.query('UPDATE users SET email_updates = NOT email_updates WHERE id = $1', [userId]);
  }
  expect(positions[0]).toBeGreaterThan(0n);
  expect(new Set(positions).size).toBe(3);
  expect(positions.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(positions);
  await database.recordReplayPosition(asUserId('e0a4ba0e-0000-4000-8000-000000000002'));
});
