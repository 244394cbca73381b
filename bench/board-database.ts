import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type OpenDatabase } from '#server/kernel/database/database.ts';
import { startEmbeddedPostgres } from '#server/kernel/database/embedded-postgres.ts';
import { migrate } from '#server/kernel/database/migrate.ts';
import { type CommunitySize, fillCommunity } from '#server/testing/community.ts';

/** Some 57,000 laps are on the busiest track. */
const SMALL: CommunitySize = { laps: 190_000, drivers: 3_000, tracks: 20, carModels: 500 };

/** The million and the ten million laps are measured on this community. */
export const LARGE: Omit<CommunitySize, 'laps'> = { drivers: 50_000, tracks: 500, carModels: 5_000 };

// Nothing of it has to survive: the folder is removed at the end.
export const QUICK_TO_FILL = {
  fsync: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  maintenance_work_mem: '512MB',
  // The buffers take a fifth of the memory of a small server, as docs/growing.md advises.
  shared_buffers: '1GB',
};

/** A community with laps of the last four years; the same ids, drivers, cars and times at every call. */
export async function openBoardDatabase(size: CommunitySize = SMALL): Promise<BenchDatabase> {
  const opened = await openEmptyDatabase();
  await fillCommunity(opened.database.pool, size);
  return opened;
}

export type BenchDatabase = { database: OpenDatabase; close: () => Promise<void> };

/** Starts a database server with an empty database in a folder that `close` removes. */
export async function openEmptyDatabase(): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-bench-'));
  const server = await startEmbeddedPostgres({
    folder: join(folder, 'database'),
    binFolder: null,
    settings: QUICK_TO_FILL,
  });
  await migrate(server.connectionString);
  // Statements that make millions of rows say nothing for minutes.
  const database = openDatabase(server.connectionString, { silenceMaxMs: 0 });
  return {
    database,
    close: async () => {
      await database.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
