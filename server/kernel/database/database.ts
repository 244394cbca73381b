import { Socket } from 'node:net';
import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import { Pool, type PoolClient } from 'pg';
import { findErrorCode, READ_ONLY, ReadOnlyError, recordConnectionError } from './database-unavailable.ts';
import { type Notifications, openNotifications } from './notifications.ts';
import { isOtherSession } from './pooler.ts';
import { type ReplicaReads, readFromPrimary, readFromReplica } from './replica-reads.ts';
import { RetryingDatabase } from './retrying-database.ts';
import { type OnQuery, WatchedClient } from './watched-client.ts';

/** The database itself or a transaction on it: stores take either. */
export type Database = PgDatabase<NodePgQueryResultHKT>;

/** A server to ask. Hot reads, written as named SQL, go to the pool directly; everything else through `db`. */
export type Source = { db: Database; pool: Pool };

/** An open database. Changes, and reads of the newest state, use `db` and `pool`; others may go elsewhere by `read`. */
export type OpenDatabase = Source &
  ReplicaReads<Source> & {
    /** Connections to the replica; null where there is none. */
    replicaPool: Pool | null;
    /** Carries what the copies of the server send each other. */
    notifications: Notifications;
    /** Ends the connections, after the queries under way. */
    close: () => Promise<void>;
  };

export type DatabaseOptions = {
  /** The address of the PostgreSQL server itself, where the other one leads to a pooler. */
  directConnectionString?: string;
  /** Called once where the direct address leads to a pooler too, which passes no notifications. */
  onPooler?: () => void;
  /** Called, once or more, when a connection broke while no query was under way. The pool replaces it. */
  onConnectionLost?: (error: Error) => void;
  onQuery?: OnQuery;
  /** A streaming replica of the database, for reads that may lag; null: there is none. */
  replicaConnectionString?: string | null;
  /** Called when the replica cannot be used and reads go to the primary. */
  onReplicaUnavailable?: (error: unknown) => void;
  /** The longest silence of a server; for tests. */
  silenceMaxMs?: number;
};

// Two cores serve boards fastest with few connections; more of them only queue inside PostgreSQL.
const CONNECTIONS_MAX = 16;
// The slowest query by design is the export of an account; one that takes longer than this is a bug and must not pile up.
const STATEMENT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
// The primary answers instead of a longer wait.
const REPLICA_CONNECT_TIMEOUT_MS = 2_000;
// A client that lost its way inside a transaction must not hold row locks for ever.
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;
// The server ends such statements and transactions by itself. If not even that is heard, the server or the way to it is gone.
const SILENCE_MAX_MS = 65_000;

/** Opens the database at `connectionString`; connects when the first query comes. */
export function openDatabase(connectionString: string, options: DatabaseOptions = {}): OpenDatabase {
  const pool = openPool(
    { connectionString, verify: (client, done) => checkServer(client, requirePrimary, done) },
    options,
  );
  const primary = { db: new RetryingDatabase(pool), pool };
  const { directConnectionString = connectionString, replicaConnectionString = null } = options;
  const notifications = openNotifications({
    pool,
    connectionString: directConnectionString,
    onPooler: options.onPooler,
  });
  const close = () => notifications.close().then(() => pool.end());
  if (replicaConnectionString === null)
    return { ...primary, ...readFromPrimary(primary), replicaPool: null, notifications, close };
  const replicaPool = openPool(
    {
      connectionString: replicaConnectionString,
      connectionTimeoutMillis: REPLICA_CONNECT_TIMEOUT_MS,
      verify: (client, done) => checkServer(client, () => undefined, done),
    },
    options,
  );
  const replica = { db: new RetryingDatabase(replicaPool), pool: replicaPool };
  return {
    ...primary,
    ...readFromReplica(primary, replica, options.onReplicaUnavailable),
    replicaPool,
    notifications,
    close: async () => void (await Promise.all([close(), replicaPool.end()])),
  };
}

type PoolSettings = ConstructorParameters<typeof Pool>[0];

function openPool(settings: PoolSettings, options: DatabaseOptions): Pool {
  const pool = new Pool({
    Client: WatchedClient,
    max: CONNECTIONS_MAX,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    application_name: 'pitboard',
    keepAlive: true, // reports a computer that vanished without a word
    ...settings,
  });
  const readOnly = new WeakSet<PoolClient>();
  const onConnectionLost = (error: Error): void => {
    recordConnectionError(error);
    options.onConnectionLost?.(error);
  };
  // Without listeners, a PostgreSQL that stops would end this process: the pool reports connections that are idle, and
  // each connection of itself while a transaction holds it between two queries.
  pool.on('error', onConnectionLost);
  pool.on('connect', (client) => {
    client.on('error', onConnectionLost);
    endWhenSilent(client, options.silenceMaxMs ?? SILENCE_MAX_MS);
    if (!(client instanceof WatchedClient)) return;
    client.onQuery = (text, ms, error) => {
      if (findErrorCode(error) === READ_ONLY) readOnly.add(client);
      // Drizzle gives a connection back after a transaction, but not where that could not even begin: it would be lost for good.
      if (error instanceof Error && text.startsWith('begin')) client.release(error);
      options.onQuery?.(text, ms, error);
    };
  });
  // The server was the primary until a moment ago: a connection that is kept would refuse every later change.
  pool.on('release', (_error, client) => {
    if (readOnly.has(client)) void client.end();
  });
  return pool;
}

/** Breaks a connection on which nothing has come for so long; one without a query is not kept for as long. */
function endWhenSilent({ connection: { stream } }: PoolClient, silenceMaxMs: number): void {
  if (!(stream instanceof Socket)) return;
  stream.setTimeout(silenceMaxMs, () => {
    stream.destroy(Object.assign(new Error('The database has fallen silent.'), { code: 'ETIMEDOUT' }));
  });
}

type Server = { isReplica: boolean; processId: number };

function checkServer(
  client: PoolClient,
  check: (server: Server | undefined) => Error | undefined,
  done: (error?: Error) => void,
): void {
  const text = 'SELECT pg_is_in_recovery() AS "isReplica", pg_backend_pid() AS "processId"';
  client.query<Server>(text, (error, result) => {
    const server = result?.rows[0];
    if (client instanceof WatchedClient) client.isBehindPooler = isOtherSession(client, server?.processId);
    done(error ?? check(server));
  });
}

/** Refuses a server that replays the changes of another one: the address of the primary has not moved yet. */
function requirePrimary(server: Server | undefined): Error | undefined {
  return server?.isReplica === true ? new ReadOnlyError() : undefined;
}

/** Checks that the database answers. @throws the error of the query */
export async function checkDatabase(pool: Pool): Promise<void> {
  await pool.query({ name: 'health', text: 'SELECT 1' });
}
