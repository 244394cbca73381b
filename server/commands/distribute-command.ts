import { readConfig } from '#server/kernel/config/config.ts';
import { checkCoordinator, distribute } from '#server/kernel/database/distribute.ts';
import { migrate } from '#server/kernel/database/migrate.ts';
import { StartError } from '#server/kernel/errors.ts';
import { fail, print } from '#server/kernel/process/terminal.ts';

/** `npm run distribute` distributes the tables of the database in DATABASE_URL over the nodes of Citus. */

async function distributeDatabase(connectionString: string): Promise<void> {
  await checkCoordinator(connectionString);
  await migrate(connectionString);
  const { tables, droppedKeys } = await distribute(connectionString);
  if (tables.length === 0) return print('All tables are spread already.');
  print(`Spread over the nodes: ${tables.join(', ')}.`);
  if (droppedKeys.length > 0) print(`Foreign keys that Citus cannot hold: ${droppedKeys.join(', ')}.`);
}

try {
  const { databaseDirectUrl } = readConfig();
  if (databaseDirectUrl === null) {
    throw new StartError(
      'DATABASE_URL is not set: the embedded database is one server, and only the coordinator of a Citus has nodes to spread tables over.',
    );
  }
  await distributeDatabase(databaseDirectUrl);
} catch (error) {
  fail(error);
}
