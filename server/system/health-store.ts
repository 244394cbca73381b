import type { Pool } from 'pg';

/** Asks the database for an answer. @throws where it gives none */
export async function checkDatabase(pool: Pool): Promise<void> {
  await pool.query({ name: 'health', text: 'SELECT 1' });
}
