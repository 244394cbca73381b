import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { startCeph } from './ceph.mjs';
import { ensureInstalled, projectFolder } from './install.mjs';

// `npm run test:replica`: the built server on a primary with a streaming replica, whose primary is killed under load, and two
// copies of the server behind a load balancer, started again one by one under load; and the move from the embedded database. The databases are the embedded
// PostgreSQL, or that of PITBOARD_POSTGRES_BIN; the object storage that copies share is Ceph's, from Debian's packages.

ensureInstalled();
ensureBuilt();
const vitest = join(projectFolder, 'node_modules', 'vitest', 'vitest.mjs');
const config = join('tests', 'replica', 'vitest.config.ts');
const filters = process.argv.slice(2);
const ceph =
  filters.length === 0 || filters.some((filter) => !filter.startsWith('replica')) ? await startCeph() : null;
if (ceph === null)
  console.log(
    'Without an object storage (Debian package radosgw) copies of the server are not tested, and files are moved nowhere.',
  );
let status = 1;
try {
  ({ status } = spawnSync(process.execPath, [vitest, 'run', '--config', config, ...filters], {
    cwd: projectFolder,
    stdio: 'inherit',
    env: { ...process.env, ...(ceph && { PITBOARD_TEST_S3_ENDPOINT: ceph.endpoint }) },
  }));
} finally {
  await ceph?.stop();
}
process.exit(status ?? 1);
