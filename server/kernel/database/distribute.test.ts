import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { dropDatabase, useTestDatabase } from '#server/testing/test-database.ts';
import { distribute } from './distribute.ts';
import { inDatabase, runOn } from '#server/testing/citus-nodes.ts';
import { canRefer, DISTRIBUTION, findSpread } from './distribution.ts';

const IS_CITUS = process.env['PITBOARD_TEST_CITUS'] !== undefined;
// Sessions name lap files by the hash of their content, and both are written and removed in one transaction.
const KEYS_THAT_CITUS_DROPS = ['sessions.lap_file_sha256'];

const opened = useTestDatabase();

async function listNames(statement: string): Promise<string[]> {
  const { rows } = await opened.database.pool.query<{ name: string }>(statement);
  return rows.map(({ name }) => name);
}

const TABLES = `
  SELECT tablename AS name FROM pg_tables
  WHERE schemaname = 'public' AND tablename !~ '_[0-9]{6,}$' ORDER BY 1`;

test('every table has an entry that tells how Citus spreads it', async () => {
  const tables = await listNames(TABLES);
  for (const table of tables) findSpread(table);
  expect(Object.keys(DISTRIBUTION).toSorted()).toEqual(tables);
  expect(() => findSpread('new_table')).toThrow(
    'Say in distribution.ts how the table new_table is spread over the nodes of Citus.',
  );
});

test.skipIf(IS_CITUS)('Citus holds all foreign keys but those named here', async () => {
  const { rows } = await opened.database.pool.query<{ source: string; target: string; name: string }>(`
    SELECT conrelid::regclass::text AS source, confrelid::regclass::text AS target,
      conrelid::regclass || '.' || (SELECT string_agg(attname, ',') FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY(conkey)) AS name
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`);
  expect(rows.length).toBeGreaterThan(20);
  const dropped = rows.filter(({ source, target }) => !canRefer(findSpread(source), findSpread(target)));
  expect(dropped.map(({ name }) => name)).toEqual(KEYS_THAT_CITUS_DROPS);
});

test.skipIf(IS_CITUS)('a database without Citus is refused in words, and stays as it is', async () => {
  const before = await listNames(TABLES);
  await expect(distribute(opened.connectionString)).rejects.toThrow('This database has no Citus.');
  expect(await listNames(TABLES)).toEqual(before);
});

test.skipIf(!IS_CITUS)(
  'a worker is refused, and so is a coordinator that knows neither itself nor a worker',
  async () => {
    const [coordinator = '', worker = ''] = inject('testServers');
    const name = new Client({ connectionString: opened.directConnectionString }).database ?? '';
    await expect(distribute(inDatabase(worker, name))).rejects.toThrow('leads to a worker of Citus');
    const alone = inDatabase(coordinator, 'alone');
    await runOn(coordinator, 'CREATE DATABASE alone');
    try {
      await runOn(alone, 'CREATE EXTENSION citus');
      await expect(distribute(alone)).rejects.toThrow('SELECT citus_set_coordinator_host(');
      await runOn(
        alone,
        `SELECT citus_set_coordinator_host('localhost', ${new Client({ connectionString: alone }).port})`,
      );
      await expect(distribute(alone)).rejects.toThrow('SELECT citus_add_node(');
    } finally {
      await dropDatabase([coordinator], 'alone');
    }
  },
);

test('a server that is not there is reported in words', async () => {
  await expect(distribute('postgresql://pitboard@127.0.0.1:1/pitboard')).rejects.toThrow(
    /The database pitboard at 127\.0\.0\.1:1 cannot be used: .* Check DATABASE_URL\./,
  );
});
