import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Client } from 'pg';
import { expect } from 'vitest';
import { z } from 'zod';
import { listWrongSessionBests } from '#server/testing/session-bests.ts';
import { tracesKey } from '#server/model/laps/trace-storage.ts';
import { until, untilEmpty } from './processes.ts';

// The database and the disk themselves say what is really there.

type StoredFile = { key: string; sha256: string | null };

const CHECKED_ALREADY = new Set<string>();

/** Reads the database of a running server: everything that changes are noted under, by name. */
export async function readThings(dataFolder: string): Promise<Map<string, string>> {
  return await withDatabase(dataFolder, async (client) => {
    const { rows } = await client.query<{ thing: string; value: string }>(`
      SELECT 'session ' || lap_file_sha256 AS thing, 'there' AS value FROM sessions
      UNION ALL SELECT nickname, CASE WHEN photo_key IS NULL THEN 'without photo' ELSE 'with photo' END
        FROM user_cars WHERE retired_at IS NULL
      UNION ALL SELECT 'avatar of ' || subject, 'there' FROM users WHERE avatar_key IS NOT NULL
      UNION ALL SELECT 'name of ' || subject, display_name FROM users WHERE display_name IS NOT NULL
      UNION ALL SELECT 'cars ' || split_part(model_key, '-', 2), count(*)::text
        FROM car_models WHERE model_key LIKE 'import-%' GROUP BY 1
      UNION ALL SELECT 'tracks ' || split_part(name, ' ', 2), count(*)::text
        FROM tracks WHERE name LIKE 'Import %' GROUP BY 1`);
    return new Map(rows.map(({ thing, value }) => [thing, value]));
  });
}

/** Fails where anything is half there, whatever was or was not acknowledged. */
export async function expectWhole(dataFolder: string): Promise<void> {
  await withDatabase(dataFolder, async (client) => {
    const half = await client.query(`
      SELECT 'a lap file without session' AS what, sha256 AS which FROM lap_files
        WHERE NOT EXISTS (SELECT FROM sessions WHERE lap_file_sha256 = sha256)
      UNION ALL SELECT 'a session without laps', id::text FROM sessions
        WHERE NOT EXISTS (SELECT FROM laps WHERE session_id = sessions.id)
      UNION ALL SELECT 'a wrong count of entries', tracks.id FROM tracks WHERE entry_count <> (
        SELECT count(DISTINCT user_id) FROM session_bests WHERE session_bests.track_id = tracks.id)
      UNION ALL SELECT 'a retired car with a photo', id::text FROM user_cars
        WHERE retired_at IS NOT NULL AND photo_key IS NOT NULL`);
    expect(half.rows).toEqual([]);
    expect(await listWrongSessionBests(drizzle(client))).toEqual([]);
    await expectFiles(dataFolder, await listFilesOfRows(client));
  });
  await untilEmpty(join(dataFolder, 'incoming'));
}

async function listFilesOfRows(client: Client): Promise<StoredFile[]> {
  const { rows } = await client.query<StoredFile>(`
    SELECT storage_key AS key, sha256 FROM lap_files
    UNION ALL SELECT 'images/' || left(key, 2) || '/' || key || '.webp', NULL FROM (
      SELECT avatar_key FROM users UNION ALL SELECT photo_key FROM user_cars) AS images (key)
    WHERE key IS NOT NULL`);
  return rows;
}

/** Every file that a row names is there and whole, and after the first sweep there is no other. */
async function expectFiles(dataFolder: string, named: StoredFile[]): Promise<void> {
  const folder = join(dataFolder, 'files');
  for (const { key, sha256 } of named) {
    if (CHECKED_ALREADY.has(key)) continue;
    const stored = await readFile(join(folder, key));
    const bytes = key.endsWith('.gz') ? gunzipSync(stored) : stored;
    if (sha256 === null) expect(bytes.subarray(8, 12).toString(), key).toBe('WEBP');
    else expect(createHash('sha256').update(bytes).digest('hex'), key).toBe(sha256);
    CHECKED_ALREADY.add(key);
  }
  const keys = new Set(named.map(({ key }) => key));
  // Traces may be missing: they are made again at the next look at a lap.
  const traces = new Set(named.filter(({ sha256 }) => sha256 !== null).map(({ key }) => tracesKey(key)));
  const unnamed = async () =>
    (await listFiles(folder)).filter((file) => !keys.has(file) && !traces.has(file));
  await until(async () => (await unnamed()).length === 0);
  const there = new Set(await listFiles(folder));
  expect([...keys].filter((key) => !there.has(key))).toEqual([]);
}

/** All stored files but images that were sent and not used yet, which may stay for an hour. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((key) => !key.startsWith('incoming/'));
}

const runningSchema = z.object({ connectionString: z.string() });

async function withDatabase<Result>(
  dataFolder: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(
    runningSchema.parse(JSON.parse(await readFile(join(dataFolder, 'running.json'), 'utf8'))),
  );
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
