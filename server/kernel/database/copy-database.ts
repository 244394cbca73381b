import { Client } from 'pg';
import { StartError } from '#server/kernel/errors.ts';
import { migrate } from './migrate.ts';
import { requireServerItself } from './pooler.ts';

export type CopiedTable = { name: string; rows: number };

type Table = { name: string; rows: number; checksum: string };

// Counts of the last minute, positions in the log of a database that is left behind, and live sessions, which end.
const NOT_COPIED = [
  'call_counts',
  'replay_positions',
  'live_sessions',
  'live_sharings',
  'live_timings',
  'live_batches',
];

const ROWS_PER_BATCH = 500;

/**
 * Copies every row of one database into another, empty one, in one transaction there: all of it arrives, or nothing. Both get
 * the newest tables first. Every table's rows and a checksum over them are compared before the end; `onTable` is called for each.
 * @throws StartError where the other database holds anything already
 */
export async function copyDatabase(
  connections: { from: string; to: string },
  onTable: (table: CopiedTable) => void,
): Promise<void> {
  await requireOursOrEmpty(connections.to);
  await migrate(connections.from);
  await migrate(connections.to);
  await withClient(connections.from, (from) =>
    withClient(connections.to, async (to) => {
      await from.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await to.query('BEGIN');
      for (const name of await listTables(to)) {
        await requireEmpty(to, name);
        await copyRows(from, to, name);
        await continueNumbers(to, name);
        const [before, after] = [await sumUp(from, name), await sumUp(to, name)];
        if (before.rows !== after.rows || before.checksum !== after.checksum) {
          throw new Error(`The rows of ${name} are not the same after they were copied.`);
        }
        onTable({ name, rows: after.rows });
      }
      await to.query('COMMIT');
    }),
  );
}

/**
 * Runs `use` on a connection of its own that writes values the same way everywhere, with all the time that it needs.
 * @throws StartError where the address leads to a pooler, which would give these settings to others
 */
export async function withClient<Result>(
  connectionString: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString, application_name: 'pitboard migrate-data' });
  client.on('error', () => undefined); // fails the query under way
  await client.connect();
  try {
    await requireServerItself(client);
    // Rows are compared as text, which both must write alike.
    await client.query(
      "SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET extra_float_digits = 1; SET statement_timeout = 0",
    );
    return await use(client);
  } finally {
    await client.end(); // what was not committed is gone
  }
}

/** A database of another program must not be filled, even if none of its tables has a name of ours. */
async function requireOursOrEmpty(connectionString: string): Promise<void> {
  await withClient(connectionString, async (client) => {
    const { rows } = await client.query<{ isOurs: boolean; tables: number }>(`
      SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS "isOurs",
        (SELECT count(*)::int FROM pg_tables WHERE schemaname = 'public') AS tables`);
    const [found] = rows;
    if (!found || found.isOurs || found.tables === 0) return;
    throw new StartError(
      `The other database has ${found.tables} tables that are not Pitboard's. Name an empty database.`,
    );
  });
}

async function requireEmpty(client: Client, name: string): Promise<void> {
  const { rowCount } = await client.query(`SELECT FROM ${client.escapeIdentifier(name)} LIMIT 1`);
  if (rowCount === 0) return;
  throw new StartError(
    `The other database has rows in ${name} already: a server has run on it. Name an empty database.`,
  );
}

/** The tables, but those not worth keeping, in an order in which each comes after those that it refers to. */
export async function listTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; needs: string[] }>(
    `SELECT tables.relname AS name, coalesce(array_agg(other.relname::text) FILTER (WHERE other.oid <> tables.oid), '{}') AS needs
     FROM pg_class AS tables
       LEFT JOIN pg_constraint ON conrelid = tables.oid AND contype = 'f'
       LEFT JOIN pg_class AS other ON other.oid = confrelid
     WHERE tables.relnamespace = 'public'::regnamespace AND tables.relkind IN ('r', 'p')
       AND NOT tables.relispartition AND tables.relname <> ALL ($1)
     GROUP BY tables.oid, tables.relname ORDER BY tables.relname`,
    [NOT_COPIED],
  );
  const ordered: string[] = [];
  while (ordered.length < rows.length) {
    const next = rows.filter(
      ({ name, needs }) => !ordered.includes(name) && needs.every((need) => ordered.includes(need)),
    );
    if (next.length === 0) throw new Error('Tables refer to each other in a circle.');
    ordered.push(...next.map(({ name }) => name));
  }
  return ordered;
}

/** Rows travel as PostgreSQL writes whole rows, which is exact for every type. */
async function copyRows(from: Client, to: Client, name: string): Promise<void> {
  const table = from.escapeIdentifier(name);
  await from.query(`DECLARE copied NO SCROLL CURSOR FOR SELECT source::text AS row FROM ${table} AS source`);
  for (;;) {
    const { rows } = await from.query<{ row: string }>(`FETCH ${ROWS_PER_BATCH} FROM copied`);
    if (rows.length === 0) break;
    await to.query(
      `INSERT INTO ${table} SELECT (copied.source).* FROM (SELECT row::${table} AS source FROM unnest($1::text[]) AS row OFFSET 0) AS copied`,
      [rows.map(({ row }) => row)],
    );
  }
  await from.query('CLOSE copied');
}

/** Sets the next number of new rows behind all given ones, even if the transaction is rolled back. */
export async function continueNumbers(to: Client, name: string): Promise<void> {
  const { rows } = await to.query<{ column: string }>(
    `SELECT attname::text AS column FROM pg_attribute WHERE attrelid = $1::regclass AND attidentity <> ''`,
    [to.escapeIdentifier(name)],
  );
  for (const { column } of rows) {
    await to.query(
      `SELECT setval(sequence, greatest(last, nextval(sequence)))
       FROM (SELECT pg_get_serial_sequence($1, $2)::regclass AS sequence, max(${to.escapeIdentifier(column)}) AS last
         FROM ${to.escapeIdentifier(name)}) AS numbered`,
      [to.escapeIdentifier(name), column],
    );
  }
}

/** The number of rows of a table, and a checksum over them. */
export async function sumUp(client: Client, name: string): Promise<Table> {
  const table = client.escapeIdentifier(name);
  const { rows } = await client.query<{ rows: number; checksum: string }>(`
    SELECT count(*)::int AS rows,
      coalesce(sum(('x' || left(md5(source::text), 16))::bit(64)::bigint::numeric), 0)::text AS checksum
    FROM ${table} AS source`);
  return { name, rows: rows[0]?.rows ?? 0, checksum: rows[0]?.checksum ?? '' };
}
