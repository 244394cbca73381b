import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillDatabase } from '#server/backups/dump-store.ts';
import { sharedKey } from '#server/backups/manifest.ts';
import { openBackupTarget } from '#server/backups/open-target.ts';
import { listBackupNames, readManifest } from '#server/backups/prove-backup.ts';
import { saveObject } from '#server/backups/stored-objects.ts';
import { type Config, readConfig } from '#server/kernel/config.ts';
import { lockDataFolder } from '#server/kernel/data-folder.ts';
import { startEmbeddedPostgres } from '#server/kernel/database/embedded-postgres.ts';
import { StartError } from '#server/kernel/errors.ts';
import { openStorage } from '#server/kernel/storage/open-storage.ts';
import { fail, say } from '#server/kernel/terminal.ts';

/** `npm run restore`: fills an empty database and storage from a backup, while no server runs. */

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
  const work = await mkdtemp(join(tmpdir(), 'pitboard-restore-'));
  try {
    say(`Restoring ${name}: ${manifest.files.length} files …`);
    const storage = await openStorage(config, folder.path);
    for (const { key, sha256 } of manifest.files) {
      const objects = { key: sharedKey(key), toKey: key, folder: work };
      const copied = await saveObject({ from: target.storage, to: storage }, objects);
      if (copied?.sha256 !== sha256) throw new Error(`The file ${key} is missing or damaged in the backup.`);
    }
    await withDatabaseOf(config, folder.path, (connectionString) =>
      fillDatabase(connectionString, { target: target.storage, name, manifest }),
    );
    for (const { name: table, rows } of manifest.tables) say(`  ${table}: ${rows} rows, compared`);
    say(`Restored what was there on ${manifest.createdAt}. Start the server: npm start`);
  } finally {
    await rm(work, { recursive: true, force: true });
    await folder.release();
  }
}

async function withDatabaseOf(
  { databaseUrl, postgresBinFolder: binFolder }: Config,
  dataFolder: string,
  use: (connectionString: string) => Promise<void>,
): Promise<void> {
  if (databaseUrl !== null) return use(databaseUrl);
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
