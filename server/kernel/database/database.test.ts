import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/test-database.ts';
import { isDatabaseUnavailable } from './database-unavailable.ts';
import { openDatabase, type Database, type OpenDatabase } from './database.ts';

let testDatabase: TestDatabase;
let database: OpenDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase(testDatabase.connectionString);
  await database.pool.query('CREATE TABLE notes (text text)');
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function countNotes(db: Database): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`SELECT count(*)::int AS count FROM notes`);
  return rows[0]?.count ?? Number.NaN;
}

test('a store function works on the database and inside a transaction alike', async () => {
  const insideBefore = await database.db.transaction(async (transaction) => {
    await transaction.execute(sql`INSERT INTO notes VALUES ('kept')`);
    return countNotes(transaction);
  });
  expect(insideBefore).toBe(1);
  expect(await countNotes(database.db)).toBe(1);
});

test('a transaction that throws leaves nothing', async () => {
  const before = await countNotes(database.db);
  const failing = database.db.transaction(async (transaction) => {
    await transaction.execute(sql`INSERT INTO notes VALUES ('lost')`);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await countNotes(database.db)).toBe(before);
});

test('a test database is not shared', async () => {
  const other = await createTestDatabase();
  const opened = openDatabase(other.connectionString);
  const { rows } = await opened.pool.query(`SELECT to_regclass('notes') AS notes`);
  expect(rows).toEqual([{ notes: null }]);
  await opened.close();
  await other.drop();
});

test('an idle connection that is cut off is reported and replaced', async () => {
  const lost: string[] = [];
  const opened = openDatabase(testDatabase.connectionString, {
    onConnectionLost: (error) => lost.push(error.message),
  });
  const { rows } = await opened.pool.query<{ id: number }>('SELECT pg_backend_pid() AS id');
  const ended = new Promise((resolve) => opened.pool.once('error', resolve));
  await database.pool.query('SELECT pg_terminate_backend($1::int)', [rows[0]?.id]);
  await ended;
  expect(lost.length).toBeGreaterThan(0);
  expect((await opened.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await opened.close();
});

test('a connection that is cut off inside a transaction fails that transaction and nothing else', async () => {
  const lost: string[] = [];
  const opened = openDatabase(testDatabase.connectionString, {
    onConnectionLost: (error) => lost.push(error.message),
  });
  const cutOff = opened.db.transaction(async (transaction) => {
    const { rows } = await transaction.execute<{ id: number }>(sql`SELECT pg_backend_pid() AS id`);
    await database.pool.query('SELECT pg_terminate_backend($1::int)', [rows[0]?.id]);
    // Between two queries, as when the transaction waits for something else.
    while (lost.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await transaction.execute(sql`SELECT 1`);
  });
  await expect(cutOff).rejects.toThrow();
  expect((await opened.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await opened.close();
});

test('a connection to a server that became read-only is replaced after the change that it refused', async () => {
  const opened = openDatabase(testDatabase.connectionString);
  const change = () =>
    opened.db.transaction((transaction) => transaction.execute(sql`INSERT INTO notes VALUES ('changed')`));
  // The pool has this one connection.
  await opened.pool.query("SELECT set_config('default_transaction_read_only', 'on', false)");
  await expect(change()).rejects.toSatisfy(isDatabaseUnavailable);
  await change();
  await opened.close();
});

test.each([
  ['the address leads nowhere', 'postgresql://pitboard@127.0.0.1:1/nothing'],
  ['the name is not known', 'postgresql://pitboard@no-such-host.invalid/nothing'],
])('a database is unavailable when %s', async (_, connectionString) => {
  const opened = openDatabase(connectionString);
  await expect(opened.pool.query('SELECT 1')).rejects.toSatisfy(isDatabaseUnavailable);
  await opened.close();
});

test('a query that is wrong, a file that is missing and a broken connection of another service are no absence of the database', async () => {
  await expect(database.pool.query('SELECT nothing')).rejects.not.toSatisfy(isDatabaseUnavailable);
  const missing = Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' });
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
  expect([missing, reset].map(isDatabaseUnavailable)).toEqual([false, false]);
});

test('a silent server, as behind a pulled cable, is unavailable; once it is back, so is everything', async () => {
  const socketFolder = /host=([^&]*)/.exec(testDatabase.connectionString)?.[1];
  if (socketFolder === undefined) return; // reached by TCP
  const path = join(decodeURIComponent(socketFolder), '.s.PGSQL.5432');
  let isSilent = false;
  const between = createServer((client) => {
    const behind = connect(path);
    client.on('data', (bytes) => isSilent || behind.write(bytes)).on('close', () => behind.destroy());
    behind.on('data', (bytes) => isSilent || client.write(bytes)).on('error', () => client.destroy());
    client.on('error', () => behind.destroy());
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  const address = between.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const name = /\/(test_\w+)/.exec(testDatabase.connectionString)?.[1];
  const opened = openDatabase(`postgresql://pitboard@127.0.0.1:${port}/${name}`, { silenceMaxMs: 300 });
  const count = () => countNotes(opened.db);
  await Promise.all([count(), count(), count()]);
  isSilent = true;
  const inTransaction = () => opened.db.transaction(async (tx) => countNotes(tx));
  const waiting = await Promise.allSettled([count(), inTransaction(), inTransaction()]);
  for (const outcome of waiting)
    expect(outcome.status === 'rejected' && isDatabaseUnavailable(outcome.reason)).toBe(true);
  isSilent = false;
  expect(opened.pool.totalCount).toBe(0); // none is held by what has failed
  await Promise.all(Array.from({ length: 20 }, count));
  await opened.close();
  between.close();
});
