import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type OpenDatabase } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded-postgres.ts';
import { migrate } from '#server/db/migrate.ts';

/** The track that most laps were driven on, as the busiest of a real community is. */
export const BUSY_TRACK = 'busy-ring';

const DRIVERS = 3_000;
const SESSIONS = 10_000;
const LAPS_PER_SESSION = 10;

/** A community of 3,000 drivers with 100,000 laps on 20 tracks, 57,000 of them on one; the same at every call. */
export async function openBoardDatabase(): Promise<{ database: OpenDatabase; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-bench-'));
  const server = await startEmbeddedPostgres({ folder: join(folder, 'database'), binFolder: null });
  await migrate(server.connectionString);
  const database = openDatabase(server.connectionString);
  for (const statement of SEED) await database.pool.query(statement);
  return {
    database,
    close: async () => {
      await database.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

// Ids and choices are hashes of the row's number: scattered, and the same every time.
const uuidOf = (kind: string, number: string) => `md5('${kind}' || (${number}))::uuid`;
const choose = (count: number, seed: string) => `(abs(hashtext('${seed}' || n::text)) % ${count})`;

const SEED = [
  `INSERT INTO tracks (id, name, status, radius_meters, center_lat, center_lon, sectors, time_zone)
   SELECT CASE n WHEN 0 THEN '${BUSY_TRACK}' ELSE 'ring-' || n END, 'Ring ' || n, 'official', 1000, 51, 1, '[]', 'Europe/London'
   FROM generate_series(0, 19) AS n`,
  `INSERT INTO users (id, issuer, subject, first_name, last_name, full_name)
   SELECT ${uuidOf('user', 'n')}, 'bench', n::text, 'Driver', n::text, 'Driver ' || n
   FROM generate_series(1, ${DRIVERS}) AS n`,
  `INSERT INTO car_models (id, make, model_family, variant, generation, model_key, model_display, drivetrain, race_class, search_text)
   SELECT ${uuidOf('model', 'n')}, 'Make ' || n % 30, 'Family ' || n % 120, 'Variant ' || n, 'G' || n % 4, 'model-' || n, 'Model ' || n,
     (ARRAY['RWD', 'FWD', 'AWD'])[1 + n % 3], (ARRAY['GT', 'Hot Hatch', 'Roadster', 'Saloon'])[1 + n % 4], ''
   FROM generate_series(1, 500) AS n`,
  `INSERT INTO user_cars (id, user_id, car_model_id)
   SELECT ${uuidOf('car', 'n')}, ${uuidOf('user', 'n')}, ${uuidOf('model', `1 + ${choose(500, 'model')}`)}
   FROM generate_series(1, ${DRIVERS}) AS n`,
  `CREATE TEMPORARY TABLE planned AS
   SELECT n, 1 + floor(${DRIVERS} * power(${choose(1_000_000, 'driver')} / 1e6, 1.5))::int AS driver,
     CASE WHEN ${choose(100, 'track')} < 57 THEN '${BUSY_TRACK}' ELSE 'ring-' || 1 + ${choose(19, 'other')} END AS track_id,
     now() - ${choose(900 * 24, 'hours')} * interval '1 hour' AS started_at,
     (ARRAY['street-300', 'track-200', 'rcomp', 'full-slick'])[1 + ${choose(4, 'tire')}] AS tire
   FROM generate_series(1, ${SESSIONS}) AS n`,
  `INSERT INTO lap_files (sha256, storage_key, user_id, file_name, byte_count, format)
   SELECT n::text, n::text, ${uuidOf('user', 'driver')}, 'laps.csv', 1, 'generic-csv' FROM planned`,
  `INSERT INTO sessions (track_id, id, user_id, user_car_id, tire_compound, started_at, session_date, dropped_counts, engine_version, lap_file_sha256)
   SELECT track_id, ${uuidOf('session', 'n')}, ${uuidOf('user', 'driver')}, ${uuidOf('car', 'driver')}, tire, started_at,
     to_char(started_at, 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"'), '{}', 'bench', n::text FROM planned`,
  `INSERT INTO laps (track_id, session_id, number, user_id, user_car_id, lap_time_ms, uncertainty_ms, status, reasons, started_at, sector_times_ms)
   SELECT track_id, ${uuidOf('session', 'n')}, lap, ${uuidOf('user', 'driver')}, ${uuidOf('car', 'driver')},
     60000 + abs(hashtext('pace' || driver)) % 15000 + abs(hashtext('lap' || n || '.' || lap)) % 4000, 5,
     CASE WHEN abs(hashtext('status' || n || '.' || lap)) % 50 = 0 THEN 'rejected' ELSE 'valid' END, '{}',
     started_at + lap * interval '70 seconds', '{20000,20000,20000}'
   FROM planned CROSS JOIN generate_series(1, ${LAPS_PER_SESSION}) AS lap`,
  'VACUUM ANALYZE',
];
