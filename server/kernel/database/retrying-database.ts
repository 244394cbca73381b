import { entityKind, type ExtractTablesWithRelations } from 'drizzle-orm';
import { NodePgDatabase, NodePgDriver, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import { PgDialect, type PgTransaction, type PgTransactionConfig } from 'drizzle-orm/pg-core';
import type { Pool } from 'pg';
import { DEADLOCK, retryOn } from './retry-on.ts';

type NoSchema = Record<string, never>;
type Transaction = PgTransaction<NodePgQueryResultHKT, NoSchema, ExtractTablesWithRelations<NoSchema>>;

/**
 * A database that runs a transaction again after PostgreSQL ended it to resolve a deadlock. Pitboard takes its locks in one order,
 * but Citus counts all transactions that wait without having asked a node yet as one, and so sees a deadlock where several wait for
 * one driver.
 *
 * So the work of a transaction may run several times, and may end without effect after its last line: it changes the database only,
 * through the transaction that it is given, and returns what the caller then does with files, mails, answers and logs. Mails, events
 * and jobs that belong to the transaction are rows. Values that it collects in memory are made inside of it.
 */
export class RetryingDatabase extends NodePgDatabase {
  static override readonly [entityKind] = 'RetryingDatabase';

  constructor(pool: Pool) {
    const dialect = new PgDialect();
    super(dialect, new NodePgDriver(pool, dialect).createSession(undefined), undefined);
  }

  override transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    config?: PgTransactionConfig,
  ): Promise<Result> {
    return retryOn([DEADLOCK], () => super.transaction(work, config));
  }
}
