import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { createTestDatabase, type TestDatabase } from '#server/testing/test-database.ts';
import { type OpenDatabase, openDatabase } from './database.ts';

let testDatabase: TestDatabase;
let database: OpenDatabase;
const reported: { text: string; ms: number }[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase(testDatabase.connectionString, {
    onQuery: (text, ms) => reported.push({ text, ms }),
  });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

test('a query is reported with the time that it took, by its name or its text', async () => {
  await database.pool.query({ name: 'wait', text: 'SELECT pg_sleep(0.05)' });
  await database.db.execute(sql`SELECT pg_sleep(0.05) AS slept`);
  const slept = reported.filter(({ text }) => /^wait$|AS slept/.test(text));
  expect(slept.map(({ text }) => text)).toEqual(['wait', expect.stringContaining('AS slept')]);
  expect(Math.min(...slept.map(({ ms }) => ms))).toBeGreaterThanOrEqual(49);
});

test('values are never reported', async () => {
  await database.pool.query('SELECT $1::text', ['a secret']);
  expect(reported.length).toBeGreaterThan(0);
  expect(reported.map(({ text }) => text).join()).not.toContain('a secret');
});

test('queries in transactions, and those that fail, are reported and end as they would', async () => {
  const before = reported.length;
  const failing = database.db.transaction(async (transaction) => {
    await transaction.execute(sql`SELECT 1 AS inside`);
    await transaction.execute(sql`SELECT no_such_column`);
  });
  await expect(failing).rejects.toThrow();
  expect(reported.slice(before).map(({ text }) => text.toLowerCase())).toEqual([
    'begin',
    'select 1 as inside',
    'select no_such_column',
    'rollback',
  ]);
});
