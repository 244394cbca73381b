import { withDatabase } from './with-database.ts';
import { readConfig, type Config } from '#server/kernel/config.ts';
import { removeDemo } from '#server/demo/remove-demo.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { StartError } from '#server/kernel/errors.ts';
import { openStorage } from '#server/kernel/storage/open-storage.ts';
import { fail, say } from '#server/kernel/terminal.ts';

/** `npm run demo`: removes the demo community. Works with and without a running server. */

const USAGE = `Use:
  npm run demo -- remove`;

async function remove(db: Database, config: Config): Promise<string> {
  const storage = await openStorage(config, config.dataFolder);
  try {
    const { drivers, sessions } = await removeDemo({ db, storage }, null);
    return `The demo community is gone: ${drivers} drivers with ${sessions} sessions. It will not come back.`;
  } catch (error) {
    throw error instanceof AppError ? new StartError(error.message) : error;
  }
}

try {
  const config = readConfig();
  const [name, ...rest] = process.argv.slice(2);
  if (name !== 'remove' || rest.length > 0) throw new StartError(USAGE);
  say(await withDatabase(config, ({ db }) => remove(db, config)));
} catch (error) {
  fail(error);
}
