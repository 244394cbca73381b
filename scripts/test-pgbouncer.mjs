import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { end, ensureInstalled, projectFolder } from './install.mjs';

// `npm run test:pgbouncer -- [files]`: the server's tests through a pgbouncer in transaction mode (Debian's package of that name) before
// the embedded PostgreSQL, or before the Citus of PITBOARD_TEST_CITUS=start.

// What is about a connection of its own: how it is kept, ended and reported.
const ON_ONE_CONNECTION = [
  'server/kernel/database/!(pooler).test.ts',
  'server/model/boards/query-plans.test.ts',
];

ensureInstalled();
if (!existsSync('/usr/sbin/pgbouncer')) end('These tests need the Debian package pgbouncer.');
const vitest = join(projectFolder, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--project', 'server', ...process.argv.slice(2)],
  {
    cwd: projectFolder,
    stdio: 'inherit',
    env: { ...process.env, PITBOARD_TEST_PGBOUNCER: ON_ONE_CONNECTION.join(',') },
  },
);
process.exit(status ?? 1);
