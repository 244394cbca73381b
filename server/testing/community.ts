import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';
import { asTrackId } from '#contract/testing/ids.ts';
import { rebuildSessionBests } from './session-bests.ts';

/** The track that most laps were driven on, as the busiest of a real community is. */
export const BUSY_TRACK = asTrackId('ring-0');

/** How large a community is. A few tracks have most of its laps: of 500, the busiest has a twelfth of them. */
export type CommunitySize = { laps: number; drivers: number; tracks: number; carModels: number };

/** Fills an empty database with laps of the last four years; the same ids, drivers, cars and times at every call. */
export async function fillCommunity(pool: Pool, size: CommunitySize): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    // The rows refer to rows that exist; the check of each reference would take most of the time.
    await client.query('SET session_replication_role = replica');
    // Their keys are scattered: filled row by row they would be read and written again and again.
    const { rows } = await client.query<{ definition: string }>(`
      SELECT 'ALTER TABLE laps ADD CONSTRAINT laps_pkey ' || pg_get_constraintdef(oid) AS definition
      FROM pg_constraint WHERE conname = 'laps_pkey'
      UNION ALL SELECT pg_get_indexdef('laps_positions_index'::regclass)`);
    await client.query('ALTER TABLE laps DROP CONSTRAINT laps_pkey');
    await client.query('DROP INDEX laps_positions_index');
    for (const statement of seed(size)) await client.query(statement);
    for (const { definition } of rows) await client.query(definition);
    await client.query('ANALYZE');
    await rebuildSessionBests(drizzle(client));
    await client.query('VACUUM ANALYZE');
  } finally {
    client.release(true); // with its settings and temporary table
  }
}

// Ids and choices are hashes of the row's number: scattered, and the same every time. Ids say that they are of version 4, or no
// call would answer with them.
const uuidOf = (kind: string, number: string) =>
  `overlay(overlay(md5('${kind}' || (${number})) PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid`;
/** Gives a number from 0 up to 1. */
const drawn = (kind: string, number = 'n') =>
  `((hashtextextended('${kind}', ${number}) & 1048575) / 1048576::float8)`;
const below = (count: number, share: string) => `floor(${count} * ${share})::int`;

const LAPS_PER_SESSION = 12; // from 6 to 18
const HOME_TRACKS = 4;

const seed = ({ laps, drivers, tracks, carModels }: CommunitySize) => [
  `INSERT INTO tracks (id, name, status, radius_meters, center_lat, center_lon, sectors, time_zone)
   SELECT 'ring-' || n, 'Ring ' || n, 'official', 1000, 51, 1, '[]', 'Europe/London' FROM generate_series(0, ${tracks - 1}) AS n`,
  `INSERT INTO users (id, issuer, subject, first_name, last_name, full_name)
   SELECT ${uuidOf('user', 'n')}, 'bench', n::text, 'Driver', n::text, 'Driver ' || n FROM generate_series(0, ${drivers - 1}) AS n`,
  `INSERT INTO car_models (id, make, model_family, variant, generation, model_key, model_display, drivetrain, race_class, search_text)
   SELECT ${uuidOf('model', 'n')}, 'Make ' || n % 60, 'Family ' || n % 600, 'Variant ' || n % 2500, 'G' || n % 4, 'model-' || n, 'Model ' || n,
     (ARRAY['RWD', 'FWD', 'AWD'])[1 + n % 3], (ARRAY['GT', 'Hot Hatch', 'Roadster', 'Saloon', 'Sports', 'Super'])[1 + n % 6], ''
   FROM generate_series(0, ${carModels - 1}) AS n`,
  // Up to three cars each; a few models are much more common than others.
  `INSERT INTO user_cars (id, user_id, car_model_id)
   SELECT ${uuidOf('car', 'n')}, ${uuidOf('user', 'n / 3')}, ${uuidOf('model', below(carModels, `power(${drawn('model')}, 2)`))}
   FROM generate_series(0, ${3 * drivers - 1}) AS n`,
  // Some drive much more than others, most often in one car, on one kind of tyres and on one of a few home tracks.
  `CREATE TEMPORARY TABLE planned AS
   SELECT n, driver, CASE WHEN ${drawn('no car')} < 0.04 THEN NULL ELSE 3 * driver + ${below(3, `power(${drawn('car')}, 3)`)} END AS car,
     'ring-' || ${below(tracks, `power(${drawn('home', `driver * ${HOME_TRACKS} + home`)}, 2.5)`)} AS track_id,
     now() - ${below(1_461 * 86_400, `power(${drawn('age')}, 1.3)`)} * interval '1 second' AS started_at,
     (ARRAY['street-300', 'track-200', 'rcomp', 'full-slick'])[1 + ${below(4, `CASE WHEN ${drawn('usual')} < 0.75 THEN ${drawn('tire', 'driver')} ELSE ${drawn('other tire')} END`)}] AS tire,
     6 + ${below(13, drawn('count'))} AS lap_count
   FROM (
     SELECT n, ${below(drivers, `power(${drawn('driver')}, 1.6)`)} AS driver, ${below(HOME_TRACKS, `power(${drawn('track')}, 2)`)} AS home
     FROM generate_series(1, ${Math.round(laps / LAPS_PER_SESSION)}) AS n
   ) AS drives`,
  `INSERT INTO lap_files (sha256, positions_hash, storage_key, user_id, file_name, byte_count, format)
   SELECT encode(sha256(n::text::bytea), 'hex'), md5('file' || n), 'lap-files/' || encode(sha256(n::text::bytea), 'hex'),
     ${uuidOf('user', 'driver')}, 'session-' || n || '.csv', 1, 'generic-csv' FROM planned`,
  `INSERT INTO sessions (track_id, id, user_id, user_car_id, tire_compound, started_at, session_date, gps_rate_hz, dropped_counts, engine_version, lap_file_sha256)
   SELECT track_id, ${uuidOf('session', 'n')}, ${uuidOf('user', 'driver')}, ${uuidOf('car', 'car')}, tire, started_at,
     to_char(started_at, 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"'), 10, '{"unreadable": 0, "duplicate": 0, "jump": 0}', 'bench',
     encode(sha256(n::text::bytea), 'hex') FROM planned`,
  `INSERT INTO laps (track_id, session_id, number, lap_time_ms, uncertainty_ms, status, reasons, started_at, sector_times_ms, positions_hash)
   SELECT track_id, ${uuidOf('session', 'n')}, lap, 60000 + ${below(15_000, drawn('pace', 'driver'))} + ${below(4_000, drawn('lap', 'n * 20 + lap'))}, 5,
     CASE WHEN ${drawn('status', 'n * 20 + lap')} < 0.02 THEN 'rejected' ELSE 'valid' END, '{}',
     started_at + lap * interval '70 seconds', '{20000,20000,20000}', left(md5(n || '.' || lap), 22)
   FROM planned CROSS JOIN LATERAL generate_series(1, lap_count) AS lap`,
];
