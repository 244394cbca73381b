import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { startCeph, whyNoCeph } from './ceph.mjs';
import { ensureInstalled } from './install.mjs';
import { endSuite, REPLICA_CONFIG, runServerTests, runVitest, skipSuite } from './suite.mjs';

// `npm run test:citus -- [files]` runs the server's tests that use a database on a Citus of three nodes, then tests with killed
// and added nodes, and two copies of the server. CITUS_URL names the coordinator of a running one; else one is started from the
// PostgreSQL of PITBOARD_POSTGRES_BIN or of Debian that has Citus. Every test file makes its own databases at all nodes and
// drops them.

ensureInstalled();
const binFolder = findPrograms();
if (binFolder === null && process.env.CITUS_URL === undefined) {
  skipSuite(
    'the tests on Citus need Citus 13 or later: in the PostgreSQL of PITBOARD_POSTGRES_BIN, or on servers whose coordinator CITUS_URL names; docs/growing.md says how.',
  );
}
const environment = {
  PITBOARD_TEST_CITUS: process.env.CITUS_URL ?? 'start',
  ...(binFolder && { PITBOARD_POSTGRES_BIN: binFolder }),
};
const files = process.argv.slice(2);
let hasPassed = runServerTests(files, environment);
// Only these programs start the nodes that are killed and added, and those for copies of the server.
if (hasPassed && files.length === 0 && binFolder !== null) hasPassed = await runOnServers();
endSuite(hasPassed);

async function runOnServers() {
  ensureBuilt();
  const why = whyNoCeph();
  if (why !== null) console.log(`Skipped: copies of the server need ${why}.`);
  const ceph = why === null ? await startCeph() : null;
  try {
    return runVitest([...REPLICA_CONFIG, 'replica/citus', 'replica/copies'], {
      ...environment,
      ...(ceph && { PITBOARD_TEST_S3_ENDPOINT: ceph.endpoint }),
    });
  } finally {
    await ceph?.stop();
  }
}

/** Finds the folder of programs of a PostgreSQL that has Citus; null where there is none. */
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
