import { getTableColumns, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

// The values stay far below the 65,535 that one statement takes.
const ROWS_PER_STATEMENT = 500;

/** Returns what an upsert sets where the row exists: each of `columns` takes the value of the row that was to be inserted. */
export function takeInserted(columns: Partial<ReturnType<typeof getTableColumns<PgTable>>>) {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      sql`excluded.${sql.identifier(column?.name ?? name)}`,
    ]),
  );
}

/** Splits rows into as many as one statement takes. */
export function splitIntoStatements<Row>(rows: readonly Row[]): Row[][] {
  const statements: Row[][] = [];
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    statements.push(rows.slice(start, start + ROWS_PER_STATEMENT));
  return statements;
}
