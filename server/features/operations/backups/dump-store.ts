import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished, pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Client, Pool } from 'pg';
import { z } from 'zod';
import { type TrackId, trackIdSchema } from '#contract/ids.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';
import { listBoard } from '#server/model/boards/board-store.ts';
import { continueNumbers, listTables, sumUp, withClient } from '#server/kernel/database/copy-database.ts';
import { migrate } from '#server/kernel/database/migrate.ts';
import { beginHeldSnapshot, beginSnapshot } from '#server/kernel/database/snapshot.ts';
import { StartError } from '#server/kernel/errors.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { type Manifest, tableKey } from './manifest.ts';

const ROWS_PER_BATCH = 500;
const BOARDS_COMPARED = 10;
const ALL_RECORDS = { limit: 100, offset: 0, ownUserId: null };

type WrittenTables = Pick<Manifest, 'tables' | 'migrations' | 'boards'>;

/**
 * Writes all tables, as of one moment, to files in `folder` that `onTable` takes over, and returns their content. `isHeld` is
 * true if nothing can change meanwhile.
 */
export async function writeTables(
  connectionString: string,
  {
    onTable,
    folder,
    isHeld,
  }: { onTable: (name: string, path: string) => Promise<void>; folder: string; isHeld: boolean },
): Promise<WrittenTables> {
  return await withClient(connectionString, async (client) => {
    if (isHeld) await beginHeldSnapshot(client);
    else await beginSnapshot(connectionString, client);
    const tables: Manifest['tables'] = [];
    for (const name of await listTables(client)) {
      const path = join(folder, 'rows.gz');
      const sha256 = await writeRows(client, name, path);
      await onTable(name, path);
      tables.push({ ...(await sumUp(client, name)), sha256 });
    }
    const boards = await hashBoards(client, await listSample(client));
    return { tables, boards, migrations: await countMigrations(client) };
  });
}

const dumpedRow = z.object({ row: z.string() });

/** Writes one row per line, as JSON, which has no line ends within texts. Returns the SHA-256 of the file. */
async function writeRows(client: Client, name: string, path: string): Promise<string> {
  const zip = createGzip();
  const hash = createHash('sha256');
  zip.on('data', (chunk: Uint8Array) => hash.update(chunk));
  const file = createWriteStream(path, { mode: 0o600 });
  zip.pipe(file);
  const table = client.escapeIdentifier(name);
  await client.query(`DECLARE saved NO SCROLL CURSOR FOR SELECT source::text AS row FROM ${table} AS source`);
  for (;;) {
    const rows = await queryRows(client, dumpedRow, {
      text: `FETCH ${ROWS_PER_BATCH} FROM saved`,
    });
    if (rows.length === 0) break;
    if (!zip.write(rows.map(({ row }) => `${JSON.stringify(row)}\n`).join(''))) await once(zip, 'drain');
  }
  await client.query('CLOSE saved');
  zip.end();
  await finished(file);
  return hash.digest('hex');
}

const idRow = z.object({ id: trackIdSchema });

async function listSample(client: Client): Promise<TrackId[]> {
  const text = `SELECT id FROM tracks WHERE entry_count > 0 ORDER BY entry_count DESC, id LIMIT ${BOARDS_COMPARED}`;
  const rows = await queryRows(client, idRow, { text });
  return rows.map(({ id }) => id);
}

async function hashBoards(client: Pick<Pool, 'query'>, trackIds: readonly TrackId[]) {
  const hashes: Record<string, string> = {};
  for (const id of trackIds) hashes[id] = hashBoard(await listBoard(client, id, {}, ALL_RECORDS));
  return hashes;
}

/** Hashes a board: equal boards have equal hashes. */
function hashBoard(records: readonly object[]): string {
  return createHash('sha256').update(JSON.stringify(records)).digest('hex');
}

const countRow = z.object({ count: z.int() });

async function countMigrations(client: Pick<Pool, 'query'>): Promise<number> {
  const text = 'SELECT count(*)::int AS count FROM drizzle.__drizzle_migrations';
  const [row] = await queryRows(client, countRow, { text });
  return row?.count ?? 0;
}

export type FoundBackup = { target: Storage; name: string; manifest: Manifest };

/**
 * Fills an empty database from a backup, in one transaction; `finish` is its last step.
 * @throws StartError where the database is not empty, or has another version
 */
export async function fillDatabase(
  connectionString: string,
  backup: FoundBackup,
  finish: (client: Client) => Promise<void> = async () => undefined,
): Promise<void> {
  await withClient(connectionString, async (client) => {
    await migrate(connectionString);
    await client.query('BEGIN');
    await fillTables(client, backup);
    await finish(client);
    await client.query('COMMIT');
  });
}

/**
 * Fills empty tables from a backup, and compares every table and some boards with the manifest. The caller must roll back its
 * transaction after an error.
 * @throws StartError where a table is not empty, or the backup has another version
 */
export async function fillTables(client: Client, { target, name, manifest }: FoundBackup): Promise<void> {
  await requireSameTables(client, manifest);
  // Foreign keys of this database decide the order: the database of the backup may lack some.
  const order = await listTables(client);
  for (const table of manifest.tables.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))) {
    await requireEmpty(client, table.name);
    await readRows(client, table, { target, key: tableKey(name, table.name) });
    await continueNumbers(client, table.name);
    const found = await sumUp(client, table.name);
    if (found.rows !== table.rows || found.checksum !== table.checksum)
      throw new Error(`The rows of ${table.name} are not those that were saved.`);
  }
  const boards = await hashBoards(client, z.array(trackIdSchema).parse(Object.keys(manifest.boards)));
  for (const [id, hash] of Object.entries(manifest.boards))
    if (boards[id] !== hash) throw new Error(`The board of ${id} is not the one that was saved.`);
}

/**
 * Checks the migrations of a backup.
 * @throws StartError where a version with other tables made it
 */
export async function requireSameTables(
  client: Pick<Pool, 'query'>,
  { migrations, version }: Manifest,
): Promise<void> {
  if ((await countMigrations(client)) !== migrations)
    throw new StartError(`Restore this backup with Pitboard ${version}, which made it, and update then.`);
}

async function requireEmpty(client: Client, name: string): Promise<void> {
  const { rowCount } = await client.query(`SELECT FROM ${client.escapeIdentifier(name)} LIMIT 1`);
  if (rowCount !== 0)
    throw new StartError(`There is something in ${name} already: restore into an empty database.`);
}

async function readRows(
  client: Client,
  { name, sha256 }: Manifest['tables'][number],
  { target, key }: { target: Storage; key: string },
): Promise<void> {
  const stored = await target.openRead(key);
  if (stored === null) throw new Error(`${key} is missing.`);
  const hash = createHash('sha256');
  stored.content.on('data', (chunk: Uint8Array) => hash.update(chunk));
  const unzip = createGunzip();
  const reading = pipeline(stored.content, unzip);
  let batch: string[] = [];
  try {
    for await (const line of createInterface({ input: unzip, crlfDelay: Infinity })) {
      batch.push(String(JSON.parse(line)));
      if (batch.length < ROWS_PER_BATCH) continue;
      await insertRows(client, name, batch);
      batch = [];
    }
    await insertRows(client, name, batch);
  } finally {
    stored.content.destroy();
    await reading.catch(() => undefined);
  }
  // If it ended too early, the comparison of rows that follows finds the difference. A backup of version 0.2 has no hash.
  if (sha256 !== undefined && hash.digest('hex') !== sha256) throw new Error(`${key} was changed.`);
}

export async function insertRows(client: Client, name: string, rows: readonly string[]): Promise<void> {
  if (rows.length === 0) return;
  const table = client.escapeIdentifier(name);
  await client.query(
    `INSERT INTO ${table} SELECT (saved.source).* FROM (SELECT row::${table} AS source FROM unnest($1::text[]) AS row OFFSET 0) AS saved`,
    [rows],
  );
}
