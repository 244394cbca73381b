import { startEmbeddedPostgres } from '#server/kernel/database/embedded-postgres.ts';
import { openDatabase } from '#server/kernel/database/database.ts';

// A program for the tests of the embedded database: writes rows for as long as it is left alone and prints the number of
// each that PostgreSQL has acknowledged. Its parameter is the folder of the database.

const postgres = await startEmbeddedPostgres({
  folder: process.argv[2] ?? '',
  onRestart: () => console.log('restarted'),
});
const { pool } = openDatabase(postgres.connectionString);
await pool.query(
  'CREATE TABLE IF NOT EXISTS written (number bigint GENERATED ALWAYS AS IDENTITY, at timestamptz DEFAULT now())',
);
console.log('ready');
for (;;) {
  const result = await pool
    .query<{ number: string }>('INSERT INTO written DEFAULT VALUES RETURNING number')
    .catch(() => null); // while PostgreSQL is away
  const number = result?.rows[0]?.number;
  if (number === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
  else console.log(number);
}
