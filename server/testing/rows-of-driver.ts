import { z } from 'zod';
import type { UserId } from '#contract/ids.ts';
import { insertCarModel, insertTrack } from './builders.ts';
import { insertEntered } from './race-events.ts';
import type { TestApp } from './test-app.ts';

// Fills and searches all tables with rows of one driver.

/** Inserts what the driver has by other ways than the calls of a member: as a moderator and an administrator, and by jobs. */
export async function insertRowsOfDriver(
  { db, database }: Pick<TestApp, 'db' | 'database'>,
  { userId, email }: { userId: UserId; email: string },
  { trackId, lapId, driverId }: { trackId: string; lapId: string; driverId: UserId },
): Promise<void> {
  const proposed = await insertTrack(db, { status: 'community_submitted' });
  const lap = [trackId, lapId, driverId, userId];
  const statements: [columns: string, values: unknown[]][] = [
    ['passwords (user_id, email, hash)', [userId, email, 'none']],
    ['recovery_codes (user_id, code_sha256)', [userId, 'none']],
    ['linked_identities (user_id, issuer, subject)', [userId, 'https://id.example', email]],
    ['mail_digests (user_id, day, until_notice_id)', [userId, '2026-06-07', 0]],
    ['replay_positions (user_id, position)', [userId, '0/0']],
    ['track_proposals (user_id, track_id)', [userId, proposed]],
    [
      'webhooks (created_by, url, events, format, secret)',
      [userId, 'http://127.0.0.1:9/', '{}', 'pitboard', 'x'],
    ],
    ['lap_decisions (lap_id, driver_id, decided_by, verdict)', [...lap.slice(1), 'keep']],
    ['lap_questions (track_id, lap_id, driver_id, asked_by, question)', [...lap, 'Which car was it?']],
    [
      'lap_evidence (track_id, lap_id, driver_id, granted_by, kind, source)',
      [...lap, 'official', 'Results.'],
    ],
    ['audit_log (user_id, action, subject, counts)', [userId, 'remove-track', proposed, '{}']],
  ];
  for (const [columns, values] of statements) {
    const parameters = values.map((_value, index) => `$${index + 1}`).join(', ');
    await database.pool.query(`INSERT INTO ${columns} VALUES (${parameters})`, values);
  }
  await insertCarModel(db, { status: 'community_submitted', proposedBy: userId });
  for (const state of ['open', 'official'] as const) await insertEntered(db, userId, state);
}

type App = Pick<TestApp, 'database'>;

const tableRow = z.object({ schema: z.string(), name: z.string() });

/** Lists the tables of the database with a row that holds any of these texts. */
export async function searchTables(
  { database }: App,
  texts: readonly string[],
  onlyTable: string | null = null,
): Promise<string[]> {
  const { pool } = database;
  const { rows } = await pool.query(`
    SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
    WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2`);
  const found: string[] = [];
  for (const { schema, name } of tableRow.array().parse(rows)) {
    if (onlyTable !== null && name !== onlyTable) continue;
    const query = `SELECT DISTINCT text FROM "${schema}"."${name}" AS entry, unnest($1::text[]) AS text
      WHERE position(lower(text) IN lower(entry::text)) > 0`;
    const hits = await pool.query(query, [texts]);
    for (const { text } of z.array(z.object({ text: z.string() })).parse(hits.rows))
      found.push(`${schema}.${name}: ${text}`);
  }
  return found;
}

/** Lists the tables that may name a driver, by their columns, and do not name this one. */
export async function listTablesWithout({ database }: App, userId: UserId): Promise<string[]> {
  const { rows } = await database.pool.query(`
    SELECT DISTINCT table_schema AS schema, table_name AS name FROM information_schema.columns
    JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_type = 'BASE TABLE' AND table_schema = 'public' AND column_name ~ '(user_id|_by)$' ORDER BY 2`);
  const used = await searchTables({ database }, [userId]);
  return tableRow
    .array()
    .parse(rows)
    .map(({ schema, name }) => `${schema}.${name}`)
    .filter((table) => !used.includes(`${table}: ${userId}`));
}
