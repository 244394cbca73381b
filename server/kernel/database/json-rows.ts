import { getTableColumns, getTableName, sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Database } from './database.ts';
import { executeRows } from './query-rows.ts';

const jsonRow = z.object({ rows: z.string() });

/** Returns rows as JSON text. The database writes it, so that `insertJsonRows` brings back every digit of numbers and times. */
export async function selectJsonRows(tx: Database, table: PgTable, where: SQL | undefined): Promise<string> {
  const name = sql.identifier(getTableName(table));
  const condition = where ?? sql`TRUE`;
  const query = sql`SELECT coalesce(jsonb_agg(to_jsonb(${name})), '[]')::text AS rows FROM ${name} WHERE ${condition}`;
  const [row] = await executeRows(tx, jsonRow, query);
  return row?.rows ?? '[]';
}

/** Inserts rows of `selectJsonRows`, without those that conflict with a row of the table; returns how many. */
export async function insertJsonRows(tx: Database, table: PgTable, rows: string): Promise<number> {
  const name = sql.identifier(getTableName(table));
  const columns = sql.join(
    Object.values(getTableColumns(table)).map((column) => sql.identifier(column.name)),
    sql`, `,
  );
  const { rowCount } = await tx.execute(sql`
    INSERT INTO ${name} (${columns})
    SELECT ${columns} FROM jsonb_populate_recordset(NULL::${name}, ${rows}::jsonb)
    ON CONFLICT DO NOTHING`);
  return rowCount ?? 0;
}
