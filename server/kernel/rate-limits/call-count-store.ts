import type { Pool } from 'pg';
import { z } from 'zod';
import { queryRows } from '#server/kernel/database/query-rows.ts';

/** Calls that were counted in the current window of time, this one among them, and when the next window begins. */
export type CallCount = { calls: number; msLeft: number };

// A window that ends later than one that begins now was made before the database's clock was set back: it is over.
const COUNT_CALL = `
INSERT INTO call_counts AS known (key, calls, ends_at)
VALUES ($1, 1, clock_timestamp() + $2 * interval '1 millisecond')
ON CONFLICT (key) DO UPDATE SET
  calls = CASE WHEN known.ends_at > clock_timestamp() AND known.ends_at <= excluded.ends_at
    THEN known.calls + 1 ELSE 1 END,
  ends_at = CASE WHEN known.ends_at > clock_timestamp() AND known.ends_at <= excluded.ends_at
    THEN known.ends_at ELSE excluded.ends_at END
RETURNING calls, (extract(epoch FROM ends_at - clock_timestamp()) * 1000)::float8 AS "msLeft"`;

const countRow = z.object({ calls: z.int(), msLeft: z.number() });

/** Counts one call under `key`, in windows of `windowMs` from its first call on; every copy of the server counts alike. */
export async function countCall(pool: Pool, key: string, windowMs: number): Promise<CallCount> {
  const [counted] = await queryRows(pool, countRow, {
    name: 'count_call',
    text: COUNT_CALL,
    values: [key, windowMs],
  });
  if (!counted) throw new Error('A call was not counted.');
  return { calls: counted.calls, msLeft: Math.max(0, Math.round(counted.msLeft)) };
}

/** Forgets the counts whose window is over; gives how many. */
export async function deleteOldCallCounts(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(`
    DELETE FROM call_counts
    WHERE ends_at <= clock_timestamp() OR ends_at > clock_timestamp() + interval '1 day'`);
  return rowCount ?? 0;
}

export async function deleteCallCount(pool: Pool, key: string): Promise<void> {
  await pool.query('DELETE FROM call_counts WHERE key = $1', [key]);
}
