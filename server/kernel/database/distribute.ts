import type { Client } from 'pg';
import { StartError } from '#server/kernel/errors.ts';
import { connect } from './connect.ts';
import { requireServerItself } from './pooler.ts';
import { canRefer, DISTRIBUTION, findSpread, type Spread } from './distribution.ts';

export type Distributed = {
  /** The tables that were spread now; none where all were before. */
  tables: string[];
  /** The foreign keys that Citus cannot hold: they are gone. */
  droppedKeys: string[];
};

/** Citus's own default is enough for some hundred processor cores. */
const SHARD_COUNT = 32;

/**
 * Spreads the tables of a migrated database over the nodes of Citus as `DISTRIBUTION` says, in one transaction: all of it happens,
 * or nothing. Tables that are spread already are left alone. Changes wait meanwhile.
 * @throws StartError where the database has no Citus
 */
export function distribute(connectionString: string, shardCount = SHARD_COUNT): Promise<Distributed> {
  return withClient(connectionString, async (client) => {
    await requireCitus(client);
    await client.query('BEGIN');
    await client.query(`SET LOCAL citus.shard_count = ${shardCount}`);
    await setModes(client);
    const tables = await listTablesToSpread(client);
    const droppedKeys = tables.length === 0 ? [] : await spreadTables(client, tables);
    await client.query('COMMIT');
    return { tables, droppedKeys };
  });
}

/** @throws StartError where the address does not lead to a coordinator of Citus; nothing was changed there */
export function checkCoordinator(connectionString: string): Promise<void> {
  return withClient(connectionString, requireCitus);
}

async function withClient<Result>(
  connectionString: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect(connectionString, 'pitboard distribute');
  try {
    await requireServerItself(client);
    await client.query('SET statement_timeout = 0');
    return await work(client);
  } finally {
    await client.end(); // what was not committed is gone
  }
}

async function requireCitus(client: Client): Promise<void> {
  const { rowCount } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  if (rowCount === 0) {
    throw new StartError(
      'This database has no Citus. Install it on all servers and run CREATE EXTENSION citus in the database, as docs/growing.md says; without Citus there is nothing to distribute.',
    );
  }
  const { rows } = await client.query<{ isWorker: boolean; hasAddress: boolean; hasNodes: boolean }>(`
    SELECT EXISTS (SELECT FROM pg_dist_local_group WHERE groupid <> 0) AS "isWorker",
      EXISTS (SELECT FROM pg_dist_node WHERE groupid = 0) AS "hasAddress",
      EXISTS (SELECT FROM pg_dist_node WHERE shouldhaveshards) AS "hasNodes"`);
  const [found] = rows;
  if (found?.isWorker) {
    throw new StartError(
      'This address leads to a worker of Citus. DATABASE_URL has to lead to the coordinator, of which the worker has its tables.',
    );
  }
  if (!found?.hasAddress) {
    throw new StartError(
      "This coordinator of Citus does not know the address at which workers reach it. Run there: SELECT citus_set_coordinator_host('its name', 5432).",
    );
  }
  if (!found.hasNodes) {
    throw new StartError(
      "This coordinator of Citus knows no node that takes tables. Run there, for each worker: SELECT citus_add_node('worker-1', 5432).",
    );
  }
}

/** Citus lets one transaction change copies and tables that refer to them only one by one at each node. */
async function setModes(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const name = client.escapeIdentifier(rows[0]?.name ?? '');
  await client.query(`ALTER DATABASE ${name} SET citus.multi_shard_modify_mode = 'sequential'`);
  await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
}

/** Lists all tables, but neither partitions nor the parts of spread tables that Citus keeps on the coordinator. */
async function listTables(client: Client): Promise<{ name: string; isSpread: boolean }[]> {
  const { rows } = await client.query<{ name: string; isSpread: boolean }>(`
    SELECT relname AS name, partmethod IS NOT NULL AND (partmethod <> 'n' OR repmodel = 't') AS "isSpread"
    FROM pg_class LEFT JOIN pg_dist_partition ON logicalrelid = pg_class.oid
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND NOT EXISTS (SELECT FROM pg_dist_shard AS shards WHERE relname = shards.logicalrelid::regclass || '_' || shards.shardid)`);
  return rows;
}

/** Lists the tables that are not spread yet in the order of `DISTRIBUTION`. */
async function listTablesToSpread(client: Client): Promise<string[]> {
  const due = (await listTables(client)).filter(
    ({ name, isSpread }) => findSpread(name) !== 'coordinator' && !isSpread,
  );
  const names = new Set(due.map(({ name }) => name));
  return Object.keys(DISTRIBUTION).filter((name) => names.has(name));
}

type ForeignKey = { name: string; table: string; target: string; definition: string };

/** Citus takes no table that others refer to which are not spread yet: foreign keys go, and come back where Citus can hold them. */
async function spreadTables(client: Client, tables: readonly string[]): Promise<string[]> {
  const keys = await listForeignKeys(client, tables);
  for (const { table, name } of keys) {
    await client.query(
      `ALTER TABLE ${client.escapeIdentifier(table)} DROP CONSTRAINT ${client.escapeIdentifier(name)}`,
    );
  }
  for (const table of tables) await spreadTable(client, table, findSpread(table));
  for (const { table, name, definition } of keys.filter(isHeld)) {
    await client.query(
      `ALTER TABLE ${client.escapeIdentifier(table)} ADD CONSTRAINT ${client.escapeIdentifier(name)} ${definition}`,
    );
  }
  return keys.filter((key) => !isHeld(key)).map(({ name }) => name);
}

function isHeld({ table, target }: ForeignKey): boolean {
  return canRefer(findSpread(table), findSpread(target));
}

async function listForeignKeys(client: Client, tables: readonly string[]): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT conname AS name, source.relname AS table, target.relname AS target, pg_get_constraintdef(pg_constraint.oid) AS definition
     FROM pg_constraint JOIN pg_class AS source ON source.oid = conrelid JOIN pg_class AS target ON target.oid = confrelid
     WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0
       AND (source.relname = ANY($1) OR target.relname = ANY($1))
     ORDER BY source.relname, conname`,
    [tables],
  );
  return rows;
}

/** Returns whether the tables of this database are spread over nodes, so that a migration has to spread new tables. */
export async function isDistributed(client: Client): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  if (rowCount === 0) return false;
  const spread = await client.query(
    "SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('tracks')",
  );
  return spread.rowCount === 1;
}

/**
 * Returns a function that spreads the tables that are new since its last call. Citus refuses foreign keys from a table that lies
 * at one node to one that does not, so a table is spread before the next statement refers to others.
 */
export async function spreadNewTables(client: Client): Promise<() => Promise<void>> {
  const known = new Set((await listTables(client)).map(({ name }) => name));
  return async () => {
    for (const { name } of await listTables(client)) {
      if (known.has(name)) continue;
      known.add(name);
      await spreadTable(client, name, findSpread(name));
    }
  };
}

async function spreadTable(client: Client, table: string, spread: Spread): Promise<void> {
  if (spread === 'coordinator') return;
  if (spread === 'every-node') {
    await client.query('SELECT create_reference_table($1)', [table]);
  } else {
    await client.query('SELECT create_distributed_table($1, $2, colocate_with => $3)', [
      table,
      spread.byTrackIn,
      table === 'tracks' ? 'default' : 'tracks',
    ]);
  }
  // Citus has copied the rows, and leaves the first ones on the coordinator, where they only take room and slow its planner.
  await client.query('SELECT truncate_local_data_after_distributing_table($1)', [table]);
}
