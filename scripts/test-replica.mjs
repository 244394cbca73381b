import { ensureBuilt } from './build.mjs';
import { startCeph, whyNoCeph } from './ceph.mjs';
import { ensureInstalled } from './install.mjs';
import { endSuite, REPLICA_CONFIG, runVitest } from './suite.mjs';

// `npm run test:replica` tests the built server on a primary with a streaming replica, where the primary is killed under load;
// two copies of the server behind a load balancer, restarted one by one under load; and the move from the embedded database.
// The databases are the embedded PostgreSQL, or that of PITBOARD_POSTGRES_BIN; the object storage that copies share is Ceph's,
// from Debian's packages.

ensureInstalled();
ensureBuilt();
const filters = process.argv.slice(2);
const usesStorage = filters.length === 0 || filters.some((filter) => !filter.startsWith('replica'));
const why = usesStorage ? whyNoCeph() : null;
if (why !== null) console.log(`Skipped: copies of the server, and the move of files, need ${why}.`);
const ceph = usesStorage && why === null ? await startCeph() : null;
let hasPassed = false;
try {
  hasPassed = runVitest(
    [...REPLICA_CONFIG, ...filters],
    ceph ? { PITBOARD_TEST_S3_ENDPOINT: ceph.endpoint } : {},
  );
} finally {
  await ceph?.stop();
}
endSuite(hasPassed);
