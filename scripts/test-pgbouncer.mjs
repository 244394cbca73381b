import { existsSync } from 'node:fs';
import { installFromDebian } from './debian.mjs';
import { ensureInstalled } from './install.mjs';
import { endSuite, runServerTests, skipSuite } from './suite.mjs';

// `npm run test:pgbouncer -- [files]` runs the server's tests that use a database through a pgbouncer in transaction mode
// (Debian's package of that name) before the embedded PostgreSQL, or before the Citus of PITBOARD_TEST_CITUS=start.

const PROGRAM = '/usr/sbin/pgbouncer';
// These tests need a direct connection: they check how it is kept, ended and reported.
const ON_ONE_CONNECTION = [
  'server/kernel/database/!(pooler).test.ts',
  'server/model/boards/query-plans.test.ts',
];

ensureInstalled();
const why = existsSync(PROGRAM) ? null : installFromDebian(['pgbouncer']);
if (why !== null) skipSuite(`the tests through pgbouncer need Debian’s package of that name, and ${why}.`);
endSuite(runServerTests(process.argv.slice(2), { PITBOARD_TEST_PGBOUNCER: 'on' }, ON_ONE_CONNECTION));
