import type { SQL } from 'drizzle-orm';
import type { Pool } from 'pg';
import { z } from 'zod';
import type { Database } from './database.ts';

// The one way to read rows of SQL that is written by hand: a schema says what a row holds, and every row is parsed by it.

/** SQL with `$1` and so on in place of its values. A query with a name is prepared once for each connection. */
export type NamedQuery = { name?: string; text: string; values?: unknown[] };

/** Runs named SQL and parses its rows. @throws Error where a row is not as `rowSchema` says */
export async function queryRows<Schema extends z.ZodType>(
  source: Pick<Pool, 'query'>,
  rowSchema: Schema,
  query: NamedQuery,
): Promise<z.output<Schema>[]> {
  const { rows } = await source.query(query);
  return parseRows(rowSchema, rows);
}

/** Runs SQL on the database or in a transaction and parses its rows. @throws Error for a row unlike `rowSchema` */
export async function executeRows<Schema extends z.ZodType>(
  tx: Pick<Database, 'execute'>,
  rowSchema: Schema,
  query: SQL,
): Promise<z.output<Schema>[]> {
  const { rows } = await tx.execute(query);
  return parseRows(rowSchema, rows);
}

/** Types an expression among the columns of the query builder, which parses each of its values but null. */
export function readAs<Schema extends z.ZodType>(schema: Schema, expression: SQL): SQL<z.output<Schema>> {
  return expression.mapWith((value: unknown) => schema.parse(value));
}

/** Formats a moment as ISO 8601 in UTC, to the second, as SQL. */
export const isoSeconds = (moment: string): string =>
  `to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** Formats a moment as ISO 8601 in UTC, to the millisecond, as SQL. */
export const isoMilliseconds = (moment: string): string =>
  `to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

// Row by row: an array schema for each query would be compiled again at every call.
function parseRows<Schema extends z.ZodType>(rowSchema: Schema, rows: unknown[]): z.output<Schema>[] {
  return rows.map((row) => {
    const parsed = rowSchema.safeParse(row);
    if (parsed.success) return parsed.data;
    throw new Error(`The database gave another row than expected.\n${z.prettifyError(parsed.error)}`, {
      cause: parsed.error,
    });
  });
}
