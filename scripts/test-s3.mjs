import { whyNoCeph, startCeph } from './ceph.mjs';
import { ensureInstalled } from './install.mjs';
import { endSuite, runVitest, skipSuite } from './suite.mjs';

// `npm run test:s3` runs the tests of everything that stores files on a real S3-compatible object storage, which it starts and
// stops.

const TESTS = [
  'server/kernel/storage',
  'server/features/images',
  'server/features/upload',
  'server/features/profile',
  'server/features/operations/backups',
  'server/model/laps',
];

ensureInstalled();
const why = whyNoCeph();
if (why !== null) skipSuite(`the tests on object storage need ${why}.`);
const ceph = await startCeph();
let hasPassed = false;
try {
  hasPassed = runVitest(TESTS, { PITBOARD_TEST_S3_ENDPOINT: ceph.endpoint });
} finally {
  await ceph.stop();
}
endSuite(hasPassed);
