import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fillDatabase } from '#server/features/operations/backups/dump-store.ts';
import { openBackupTarget } from '#server/features/operations/backups/open-target.ts';
import { deriveBackupKey, requireSignature } from '#server/features/operations/backups/backup-signature.ts';
import { listBackupNames, readManifest } from '#server/features/operations/backups/list-backups.ts';
import { skipOutgoing } from '#server/features/operations/backups/restore-store.ts';
import { restoreFiles } from '#server/features/operations/backups/restore-files.ts';
import { type Config, readConfig } from '#server/kernel/config/config.ts';
import { keepCookieSecret, lockDataFolder } from '#server/kernel/files/data-folder.ts';
import { startEmbeddedPostgres } from '#server/kernel/database/embedded-postgres.ts';
import { StartError } from '#server/kernel/errors.ts';
import { openStorage } from '#server/kernel/storage/open-storage.ts';
import { fail, print } from '#server/kernel/process/terminal.ts';

/** `npm run restore` fills an empty database and storage from a backup, while no server runs. */

type Wish = { wanted: string | undefined; acceptsUnsigned: boolean };

const HOW_TO_ACCEPT =
  'Set the COOKIE_SECRET of the server that made it, or copy its file cookie-secret into the data folder. To restore it all the same, add --unsigned.';

async function restore(config: Config, { wanted, acceptsUnsigned }: Wish): Promise<void> {
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
    const key = deriveBackupKey(config.cookieSecret ?? (await keepCookieSecret(folder)));
    const backup = { target: target.storage, name, manifest };
    requireSignature(backup, key, { isAccepted: acceptsUnsigned, how: HOW_TO_ACCEPT });
    const workFolder = join(folder.path, 'incoming');
    await mkdir(workFolder, { recursive: true, mode: 0o700 });
    print(`Restoring ${name}: ${manifest.files.length} files …`);
    await restoreFiles(backup, { storage: await openStorage(config, folder.path), workFolder });
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

/** Reads the arguments. @throws StartError */
function readWish(): Wish {
  try {
    const { values, positionals } = parseArgs({
      options: { unsigned: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    return { wanted: positionals[0], acceptsUnsigned: values.unsigned };
  } catch (error) {
    throw new StartError('Usage: npm run restore -- [NAME] [--unsigned]', { cause: error });
  }
}

try {
  await restore(readConfig(), readWish());
} catch (error) {
  fail(error);
}
