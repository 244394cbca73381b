import { join } from 'node:path';
import { fillDatabase } from '#server/features/operations/backups/dump-store.ts';
import { openBackupTarget } from '#server/features/operations/backups/open-target.ts';
import { listBackupNames, readManifest } from '#server/features/operations/backups/prove-backup.ts';
import { skipOutgoing } from '#server/features/operations/backups/restore-store.ts';
import { restoreFiles } from '#server/features/operations/backups/restore-files.ts';
import { type Config, readConfig } from '#server/kernel/config/config.ts';
import { lockDataFolder } from '#server/kernel/files/data-folder.ts';
import { startEmbeddedPostgres } from '#server/kernel/database/embedded-postgres.ts';
import { StartError } from '#server/kernel/errors.ts';
import { openStorage } from '#server/kernel/storage/open-storage.ts';
import { fail, print } from '#server/kernel/process/terminal.ts';

/** `npm run restore` fills an empty database and storage from a backup, while no server runs. */

async function restore(config: Config, wanted: string | undefined): Promise<void> {
  const target = await openBackupTarget(config);
  if (target === null)
    throw new StartError('Set BACKUP_TARGET to the folder or bucket that has the backups.');
  const names = await listBackupNames(target.storage);
  const name = wanted ?? names[0];
  if (name === undefined) throw new StartError(`There is no backup in ${target.name}.`);
  if (!names.includes(name))
    throw new StartError(
      `There is no backup ${name}. There are:\n${names.map((one) => `  ${one}`).join('\n')}`,
    );
  const manifest = await readManifest(target.storage, name);
  const folder = await lockDataFolder(config.dataFolder); // refuses while a server runs
  try {
    print(`Restoring ${name}: ${manifest.files.length} files …`);
    const backup = { target: target.storage, name, manifest };
    await restoreFiles(backup, await openStorage(config, folder.path));
    await withDatabaseOf(config, folder.path, (connectionString) =>
      fillDatabase(connectionString, backup, skipOutgoing),
    );
    for (const { name: table, rows } of manifest.tables) print(`  ${table}: ${rows} rows, compared`);
    print(`Restored what was there on ${manifest.createdAt}. Start the server: npm start`);
  } finally {
    await folder.release();
  }
}

async function withDatabaseOf(
  { databaseDirectUrl, postgresBinFolder: binFolder }: Config,
  dataFolder: string,
  use: (connectionString: string) => Promise<void>,
): Promise<void> {
  if (databaseDirectUrl !== null) return use(databaseDirectUrl);
  const postgres = await startEmbeddedPostgres({ folder: join(dataFolder, 'database'), binFolder });
  try {
    await use(postgres.connectionString);
  } finally {
    await postgres.stop();
  }
}

try {
  await restore(readConfig(), process.argv[2]);
} catch (error) {
  fail(error);
}
