import { join } from 'node:path';
import type { Config } from '#server/kernel/config/config.ts';
import { DataFolderError, findRunningServer, lockDataFolder } from '#server/kernel/files/data-folder.ts';
import { openDatabase, type OpenDatabase } from '#server/kernel/database/database.ts';
import { startEmbeddedPostgres } from '#server/kernel/database/embedded-postgres.ts';
import { migrate } from '#server/kernel/database/migrate.ts';

/** Runs a command on the database of the settings: that of the running server, or one started for it. */
export async function withDatabase<Result>(
  config: Config,
  use: (database: OpenDatabase) => Promise<Result>,
): Promise<Result> {
  if (config.databaseUrl !== null) return useDatabase(config.databaseUrl, use);
  const running = await findRunningServer(config.dataFolder);
  const folder = await lockDataFolder(config.dataFolder).catch((error: unknown) => {
    if (error instanceof DataFolderError && running?.connectionString) return null;
    throw error;
  });
  if (folder === null) return useDatabase(running?.connectionString ?? '', use);
  try {
    const postgres = await startEmbeddedPostgres({
      folder: join(folder.path, 'database'),
      binFolder: config.postgresBinFolder,
    });
    try {
      return await useDatabase(postgres.connectionString, use);
    } finally {
      await postgres.stop();
    }
  } finally {
    await folder.release();
  }
}

/** Runs a command on a database with the tables of this version. */
export async function useDatabase<Result>(
  connectionString: string,
  use: (database: OpenDatabase) => Promise<Result>,
): Promise<Result> {
  await migrate(connectionString);
  const database = openDatabase(connectionString);
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}
