import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { CEPH_PACKAGES, startCeph } from './ceph.mjs';
import { ensureInstalled, projectFolder } from './install.mjs';

// `npm run test:s3`: the tests of everything that stores files, on a real S3-compatible object storage for the time of the tests.

const TESTS = [
  'server/kernel/storage',
  'server/images',
  'server/uploads',
  'server/account',
  'server/backups',
];

ensureInstalled();
const ceph = await startCeph();
if (ceph === null) {
  console.log(`Skipped: the tests on object storage need the Debian packages ${CEPH_PACKAGES.join(', ')}.`);
  process.exit(0);
}
let status = 1;
try {
  status = runTests(ceph.endpoint);
} finally {
  await ceph.stop();
}
process.exit(status);

function runTests(endpoint) {
  const vitest = join(projectFolder, 'node_modules', 'vitest', 'vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...TESTS], {
    cwd: projectFolder,
    stdio: 'inherit',
    env: { ...process.env, PITBOARD_TEST_S3_ENDPOINT: endpoint },
  });
  return status ?? 1;
}
