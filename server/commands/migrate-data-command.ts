import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '#server/kernel/config/config.ts';
import { lockDataFolder } from '#server/kernel/files/data-folder.ts';
import { copyDatabase } from '#server/kernel/database/copy-database.ts';
import { startEmbeddedPostgres } from '#server/kernel/database/embedded-postgres.ts';
import { IMAGES_PREFIX } from '#server/model/images/image-key.ts';
import { StartError } from '#server/kernel/errors.ts';
import { copyFiles, listDamaged } from '#server/kernel/storage/copy-files.ts';
import { openDiskStorage } from '#server/kernel/storage/disk-storage.ts';
import { openStorage } from '#server/kernel/storage/open-storage.ts';
import { fail, print } from '#server/kernel/process/terminal.ts';
import { LAP_FILES_PREFIX } from '#server/model/laps/lap-file-key.ts';
import { listLapFileHashes } from '#server/model/laps/lap-file-store.ts';
import { useDatabase } from './with-database.ts';

/** `npm run migrate-data` moves all data from the embedded database, and the files with S3_… settings, while no server runs. */

const USAGE = `Use:
  npm run migrate-data -- --to postgresql://user:password@host/database`;

function readTarget(parameters: string[], { databaseUrl }: Config): string {
  if (databaseUrl !== null) {
    throw new StartError(
      'DATABASE_URL is set, and this moves from the embedded database: unset it for this command.',
    );
  }
  try {
    const { values } = parseArgs({ args: parameters, options: { to: { type: 'string' } } });
    if (values.to && /^postgres(ql)?:\/\//.test(values.to)) return values.to;
  } catch {
    // The error below shows the usage.
  }
  throw new StartError(USAGE);
}

async function moveEverything(config: Config, to: string): Promise<void> {
  const folder = await lockDataFolder(config.dataFolder); // refuses while a server runs
  try {
    print(`Starting the database in ${folder.path} …`);
    const postgres = await startEmbeddedPostgres({
      folder: join(folder.path, 'database'),
      binFolder: config.postgresBinFolder,
    });
    try {
      // Files are moved first: when the database is moved, all files that it names exist.
      const hashes = await useDatabase(postgres.connectionString, ({ db }) => listLapFileHashes(db));
      await moveFiles(config, folder.path, hashes);
      await copyDatabase({ from: postgres.connectionString, to }, ({ name, rows }) =>
        print(`  ${name}: ${rows} rows, compared`),
      );
    } finally {
      await postgres.stop();
    }
  } finally {
    await folder.release();
  }
}

async function moveFiles(config: Config, dataFolder: string, hashes: Map<string, string>): Promise<void> {
  const from = openDiskStorage(join(dataFolder, 'files'));
  print(`Reading ${hashes.size} lap files …`);
  const damaged = await listDamaged(from, hashes);
  if (damaged.length > 0) {
    throw new StartError(
      `Nothing was moved: these files are missing or damaged.\n${damaged.map((key) => `  ${key}`).join('\n')}`,
    );
  }
  if (config.s3 === null) {
    print(`  they are whole, and stay in ${join(dataFolder, 'files')}: no S3_… settings were given`);
    return;
  }
  const to = await openStorage(config, dataFolder);
  const workFolder = await mkdtemp(join(dataFolder, 'moving-'));
  try {
    for (const prefix of [LAP_FILES_PREFIX, IMAGES_PREFIX]) {
      const { files, bytes } = await copyFiles({ from, to }, { prefix, workFolder, expected: hashes });
      print(`  ${prefix}: ${files} files, ${bytes} bytes, read back and compared`);
    }
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

function describeNext({ s3, dataFolder }: Config): string {
  return [
    '',
    'Everything was moved. The data folder is as it was; keep it until you have seen the new server work. Start it with:',
    '  DATABASE_URL   the address that you gave here',
    `  COOKIE_SECRET  at least 32 characters, the same for every copy; ${join(dataFolder, 'cookie-secret')} holds the one until now`,
    s3 === null
      ? `  PITBOARD_DATA  ${dataFolder}, for the files; several copies need S3_… settings instead`
      : '  S3_…           the object storage that was given here',
  ].join('\n');
}

try {
  const config = readConfig();
  await moveEverything(config, readTarget(process.argv.slice(2), config));
  print(describeNext(config));
} catch (error) {
  fail(error);
}
