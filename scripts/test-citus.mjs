import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { startCeph } from './ceph.mjs';
import { end, ensureInstalled, projectFolder } from './install.mjs';

// `npm run test:citus -- [files]`: the server's tests on a Citus of three nodes, then nodes that are killed and added, and two copies of the
// server. CITUS_URL names the coordinator of one that runs;
// else one is started from the PostgreSQL of PITBOARD_POSTGRES_BIN or of Debian that has Citus. Every test file makes databases
// of its own at all nodes and drops them.

const HOW_TO_GET_IT = `These tests need Citus 13 or later. Either
  install it for your PostgreSQL, and name its folder of programs in PITBOARD_POSTGRES_BIN, or
  start three servers with it, and set CITUS_URL to the coordinator's address, as docs/growing.md says ("Citus").`;

ensureInstalled();
const binFolder = findPrograms();
if (binFolder === null && process.env.CITUS_URL === undefined) end(HOW_TO_GET_IT);
const files = process.argv.slice(2);
let status = runTests(['--project', 'server', ...files]);
// Nodes that are killed and added, and those of copies of the server, are servers of these programs.
if (status === 0 && files.length === 0 && binFolder !== null) {
  ensureBuilt();
  const ceph = await startCeph();
  if (ceph === null)
    console.log('Without an object storage (Debian package radosgw) copies of the server are not tested.');
  else process.env.PITBOARD_TEST_S3_ENDPOINT = ceph.endpoint;
  status = runTests([
    '--config',
    join('tests', 'replica', 'vitest.config.ts'),
    'replica/citus',
    'replica/copies',
  ]);
  await ceph?.stop();
}
process.exit(status);

function runTests(options) {
  const vitest = join(projectFolder, 'node_modules', 'vitest', 'vitest.mjs');
  const { status: ended } = spawnSync(process.execPath, [vitest, 'run', ...options], {
    cwd: projectFolder,
    stdio: 'inherit',
    env: {
      ...process.env,
      PITBOARD_TEST_CITUS: process.env.CITUS_URL ?? 'start',
      ...(binFolder && { PITBOARD_POSTGRES_BIN: binFolder }),
    },
  });
  return ended ?? 1;
}

/** The folder of programs of a PostgreSQL that has Citus; null where there is none. */
function findPrograms() {
  const folders = [17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin`);
  const named = process.env.PITBOARD_POSTGRES_BIN;
  return (named ? [named] : folders).find(hasCitus) ?? null;
}

function hasCitus(folder) {
  const { stdout } = spawnSync(join(folder, 'pg_config'), ['--pkglibdir'], { encoding: 'utf8' });
  return (
    existsSync(join(folder, 'postgres')) && Boolean(stdout) && existsSync(join(stdout.trim(), 'citus.so'))
  );
}
