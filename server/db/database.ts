import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import { Pool } from 'pg';
import { type OnQuery, watchQueries } from './watch-queries.ts';

/** What a store is given: the database itself or a transaction on it, alike. */
export type Database = PgDatabase<NodePgQueryResultHKT>;

/** An open database. Hot reads, written as named SQL, go to the pool directly; everything else through `db`. */
export type OpenDatabase = {
  db: Database;
  pool: Pool;
  /** Ends the connections, after the queries under way. */
  close: () => Promise<void>;
};

export type DatabaseOptions = {
  /** Told, once or more, of a connection that broke while no query was under way. The pool replaces it. */
  onConnectionLost?: (error: Error) => void;
  /** Told of each query: what it was, without its values, and how long it took. */
  onQuery?: OnQuery;
};

// Two cores serve boards fastest with few connections; more of them only queue inside PostgreSQL.
const CONNECTIONS_MAX = 16;
// The slowest query by design is the export of an account; one that takes longer than this is a bug and must not pile up.
const STATEMENT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
// A client that lost its way inside a transaction must not hold row locks for ever.
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;

/** Opens the database at `connectionString`; connects when the first query comes. */
export function openDatabase(connectionString: string, options: DatabaseOptions = {}): OpenDatabase {
  const pool = new Pool({
    connectionString,
    max: CONNECTIONS_MAX,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    application_name: 'pitboard',
  });
  const onConnectionLost = (error: Error): void => options.onConnectionLost?.(error);
  // Without listeners, PostgreSQL going away would end this process: the pool tells of connections that are idle, and
  // each connection of itself while a transaction holds it between two queries.
  pool.on('error', onConnectionLost);
  pool.on('connect', (client) => {
    client.on('error', onConnectionLost);
    if (options.onQuery) watchQueries(client, options.onQuery);
  });
  return { db: drizzle(pool), pool, close: () => pool.end() };
}
