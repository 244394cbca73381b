import { chmod, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { readPostmasterFile } from './postgres-cluster.ts';

let parent: string;
let folder: string;

// A new database takes seconds, so every test leaves the one of the first start stopped and whole.
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'pitboard-postgres-'));
  folder = join(parent, 'database');
});

afterAll(() => rm(parent, { recursive: true, force: true }));

async function readWritten(): Promise<Set<number>> {
  const postgres = await startEmbeddedPostgres({ folder });
  const database = openDatabase(postgres.connectionString);
  const { rows } = await database.pool.query<{ number: string }>('SELECT number FROM written');
  await database.close();
  await postgres.stop();
  return new Set(rows.map(({ number }) => Number(number)));
}

test('a stopped database leaves no process and no socket, and has everything at the next start', async () => {
  const first = await startEmbeddedPostgres({ folder });
  const database = openDatabase(first.connectionString);
  await database.pool.query('CREATE TABLE written AS SELECT 7 AS number');
  await database.close();
  await first.stop();
  expect(await readPostmasterFile(folder)).toBeNull();
  const socketFolder = new URL(first.connectionString.replace('@', '@host')).searchParams.get('host') ?? '';
  await expect(stat(socketFolder)).rejects.toThrow('ENOENT');
  expect(await readWritten()).toEqual(new Set([7]));
});

test('only its own user can reach the socket, and every write is flushed', async () => {
  const postgres = await startEmbeddedPostgres({ folder });
  const database = openDatabase(postgres.connectionString);
  const { rows } = await database.pool.query<{ fsync: string; socket: string; tcp: string }>(
    `SELECT current_setting('fsync') AS fsync, current_setting('listen_addresses') AS tcp,
            current_setting('unix_socket_directories') AS socket`,
  );
  expect(rows[0]).toMatchObject({ fsync: 'on', tcp: '' });
  expect((await stat(rows[0]?.socket ?? '')).mode & 0o777).toBe(0o700);
  await database.close();
  await postgres.stop();
});

test('names with accents compare without regard to case', async () => {
  const postgres = await startEmbeddedPostgres({ folder });
  const database = openDatabase(postgres.connectionString);
  const { rows } = await database.pool.query(`SELECT 'AUTÓDROMO' ILIKE 'autódromo' AS same`);
  expect(rows).toEqual([{ same: true }]);
  await database.close();
  await postgres.stop();
});

// The processes are found under /proc.
const onLinux = test.skipIf(process.platform !== 'linux');

test('files of an interrupted start are removed', async () => {
  const empty = join(parent, 'empty');
  await mkdir(join(empty, 'database.half-00000000/base'), { recursive: true });
  const postgres = await startEmbeddedPostgres({ folder: join(empty, 'database') });
  await postgres.stop();
  expect((await readdir(empty)).toSorted()).toEqual(['database', 'database.log']);
});

onLinux(
  'a process number that another program has by now does not keep the database from opening',
  async () => {
    const first = await startEmbeddedPostgres({ folder });
    const file = await readFile(join(folder, 'postmaster.pid'), 'utf8');
    await first.stop();
    await writeFile(join(folder, 'postmaster.pid'), file.replace(/^\d+/, String(process.ppid)));
    await chmod(join(folder, 'postmaster.pid'), 0o644);
    const second = await startEmbeddedPostgres({ folder });
    await second.stop();
  },
);

test('a database of another PostgreSQL is refused in a sentence', async () => {
  const postgres = await startEmbeddedPostgres({ folder });
  await postgres.stop();
  const version = await readFile(join(folder, 'PG_VERSION'));
  await writeFile(join(folder, 'PG_VERSION'), '14\n');
  await expect(startEmbeddedPostgres({ folder })).rejects.toThrow(
    /was made by PostgreSQL 14, and this is PostgreSQL/,
  );
  await writeFile(join(folder, 'PG_VERSION'), version);
});

test('a database whose version is lost is reported as damaged, and left as it is', async () => {
  const postgres = await startEmbeddedPostgres({ folder });
  await postgres.stop();
  const before = await readdir(folder);
  await rename(join(folder, 'PG_VERSION'), join(parent, 'PG_VERSION'));
  await expect(startEmbeddedPostgres({ folder })).rejects.toThrow(
    /is damaged: PG_VERSION is missing\. Restore/,
  );
  expect(await readdir(folder)).toEqual(before.filter((name) => name !== 'PG_VERSION'));
  await rename(join(parent, 'PG_VERSION'), join(folder, 'PG_VERSION'));
});

test('a setting that PostgreSQL refuses is reported in its own words, with the path of its log', async () => {
  const starting = startEmbeddedPostgres({ folder, settings: { shared_buffers: 'a lot' } });
  await expect(starting).rejects.toThrow(
    /did not start: .*shared_buffers.*Its messages are in .*database\.log/,
  );
});

test('a folder without PostgreSQL is reported in a sentence', async () => {
  await expect(startEmbeddedPostgres({ folder, binFolder: parent })).rejects.toThrow(
    /^PostgreSQL cannot be started from .* or set DATABASE_URL\.$/,
  );
});
