import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { z } from 'zod';
import { withClient } from '#server/kernel/database/copy-database.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';

// Proofs hold this lock together; a start that removes what a killed server has left takes it alone.
const PROOF_LOCK = 7_248_006;
const PREFIX = 'pitboard_proof_';

/**
 * Runs `use` on an empty database on the same server, and deletes it afterwards. Its name has the number of this database,
 * because several communities may share a PostgreSQL server.
 */
export async function withThrowAwayDatabase(
  connectionString: string,
  use: (connectionString: string) => Promise<void>,
): Promise<void> {
  await withClient(connectionString, async (client) => {
    await client.query('SELECT pg_advisory_lock_shared($1)', [PROOF_LOCK]);
    const name = `${await prefixOfOwn(client)}${randomBytes(6).toString('hex')}`;
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    try {
      await use(changeDatabase(connectionString, name));
    } finally {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    }
  });
}

const idRow = z.object({ id: z.string() });

async function prefixOfOwn(client: Client): Promise<string> {
  const text = 'SELECT oid::int8::text AS id FROM pg_database WHERE datname = current_database()';
  const [row] = await queryRows(client, idRow, { text });
  return `${PREFIX}${row?.id}_`;
}

/** Replaces the database in a connection string. `URL` does not parse one with a socket folder: its path is before the `?`. */
function changeDatabase(connectionString: string, name: string): string {
  const [address = '', ...query] = connectionString.split('?');
  return [address.replace(/\/[^/]*$/, `/${name}`), ...query].join('?');
}

const heldRow = z.object({ isHeld: z.boolean() });

const nameRow = z.object({ name: z.string() });

/**
 * Deletes the databases of proofs that a killed server has left, unless another copy of the server is at a proof now. Those
 * of version 0.2, whose names do not say whose they are, are deleted where nothing is connected to them. Returns how many.
 */
export async function deleteLeftProofs(connectionString: string): Promise<number> {
  return await withClient(connectionString, async (client) => {
    const lock = { text: 'SELECT pg_try_advisory_lock($1) AS "isHeld"', values: [PROOF_LOCK] };
    const [row] = await queryRows(client, heldRow, lock);
    if (row?.isHeld !== true) return 0;
    const own = await prefixOfOwn(client);
    const names = await queryRows(client, nameRow, {
      text: `SELECT datname AS name FROM pg_database
        WHERE pg_has_role(datdba, 'USAGE') AND (starts_with(datname, $1) OR datname ~ $2 AND NOT EXISTS (
          SELECT FROM pg_stat_activity AS connected WHERE connected.datname = pg_database.datname))`,
      values: [own, `^${PREFIX}[0-9a-f]{12}$`],
    });
    for (const { name } of names) {
      const force = name.startsWith(own) ? ' WITH (FORCE)' : '';
      await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)}${force}`);
    }
    return names.length;
  });
}
