import { Client } from 'pg';
import { readConfig } from '#server/kernel/config.ts';
import { distribute } from '#server/kernel/database/distribute.ts';
import { migrate } from '#server/kernel/database/migrate.ts';
import { StartError } from '#server/kernel/errors.ts';
import { fail, say } from '#server/kernel/terminal.ts';

/** `npm run distribute`: spreads the tables of the database in DATABASE_URL over the nodes of Citus. */

async function distributeDatabase(connectionString: string): Promise<void> {
  await migrate(connectionString);
  const client = new Client({ connectionString, application_name: 'pitboard distribute' });
  client.on('error', () => undefined); // fails the query under way
  await client.connect();
  try {
    const { tables, droppedKeys } = await distribute(client);
    if (tables.length === 0) return say('All tables are spread already.');
    say(`Spread over the nodes: ${tables.join(', ')}.`);
    if (droppedKeys.length > 0) say(`Foreign keys that Citus cannot hold: ${droppedKeys.join(', ')}.`);
  } finally {
    await client.end();
  }
}

try {
  const { databaseUrl } = readConfig();
  if (databaseUrl === null) {
    throw new StartError(
      'DATABASE_URL is not set: the embedded database is one server, and only the coordinator of a Citus has nodes to spread tables over.',
    );
  }
  await distributeDatabase(databaseUrl);
} catch (error) {
  fail(error);
}
