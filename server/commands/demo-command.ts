import { withDatabase } from './with-database.ts';
import { readConfig, type Config } from '#server/kernel/config/config.ts';
import { deleteDemo } from '#server/features/demo/delete-demo.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { StartError } from '#server/kernel/errors.ts';
import { openStorage } from '#server/kernel/storage/open-storage.ts';
import { fail, print } from '#server/kernel/process/terminal.ts';

/** `npm run demo` explains how to start the demo community, and removes it. It works with and without a running server. */

const USAGE = `The demo is a community of 60 invented drivers with a year of laps. To see it, start the server:

  npm start                                      an empty data folder on this computer gets the demo
  PITBOARD_DATA=/an/empty/folder npm start       another demo, next to the data that you have
  PITBOARD_DEMO=off npm start                    no demo

To take it away for good, with all its laps:

  npm run demo -- remove`;

async function remove(db: Database, config: Config): Promise<string> {
  const storage = await openStorage(config, config.dataFolder);
  try {
    const { drivers, sessions } = await deleteDemo({ db, storage }, null);
    return `The demo community is gone: ${drivers} drivers with ${sessions} sessions. It will not come back.`;
  } catch (error) {
    throw error instanceof AppError ? new StartError(error.message) : error;
  }
}

async function run([name, ...rest]: readonly string[]): Promise<string> {
  if (name === undefined) return USAGE;
  if (name !== 'remove' || rest.length > 0) throw new StartError(USAGE);
  const config = readConfig();
  return await withDatabase(config, ({ db }) => remove(db, config));
}

try {
  print(await run(process.argv.slice(2)));
} catch (error) {
  fail(error);
}
