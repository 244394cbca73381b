import { Client } from 'pg';
import { expect, test } from 'vitest';
import { useTestDatabase } from '#server/testing/test-database.ts';
import { copyDatabase } from './copy-database.ts';
import { distribute } from './distribute.ts';
import { openNotifications } from './notifications.ts';
import { isServerItself } from './pooler.ts';

// `npm run test:pgbouncer` runs this file too.
const isPooled = process.env['PITBOARD_TEST_PGBOUNCER'] !== undefined;
const REFUSED = 'leads to a pooler of connections such as pgbouncer';

const opened = useTestDatabase();

async function leadsToServer(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await isServerItself(client);
  } finally {
    await client.end();
  }
}

test('a pooler and the server itself are distinguished', async () => {
  expect(await leadsToServer(opened.connectionString)).toBe(!isPooled);
  expect(await leadsToServer(opened.directConnectionString)).toBe(true);
});

test('notifications arrive from the server itself, and a pooler is reported once', async () => {
  let reports = 0;
  const notifications = openNotifications({
    pool: opened.database.pool,
    connectionString: opened.connectionString,
    onPooler: () => (reports += 1),
  });
  notifications.subscribe('any topic', { onMessage: () => undefined });
  await expect.poll(() => notifications.isListening() || notifications.isBehindPooler()).toBe(true);
  expect(notifications.isBehindPooler()).toBe(isPooled);
  expect(reports).toBe(isPooled ? 1 : 0);
  await notifications.close();
});

test('statements have names on connections of their own, and none behind a pooler', async () => {
  const client = await opened.database.pool.connect();
  try {
    await client.query('BEGIN');
    expect((await client.query({ name: 'one', text: 'SELECT $1::int AS one', values: [1] })).rows).toEqual([
      { one: 1 },
    ]);
    const { rows } = await client.query("SELECT name FROM pg_prepared_statements WHERE name = 'one'");
    expect(rows).toEqual(isPooled ? [] : [{ name: 'one' }]);
    await client.query('ROLLBACK');
  } finally {
    client.release();
  }
});

test.skipIf(!isPooled)(
  'what sets its session refuses a pooler in words, before it changes anything',
  async () => {
    const { connectionString, directConnectionString } = opened;
    await expect(distribute(connectionString)).rejects.toThrow(REFUSED);
    await expect(
      copyDatabase({ from: directConnectionString, to: connectionString }, () => undefined),
    ).rejects.toThrow(REFUSED);
  },
);
