import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, projectFolder } from './install.mjs';

// `npm run test:postgres`: the server's tests on the oldest PostgreSQL that Pitboard supports, Debian's 15, which this
// installs where it may. PITBOARD_POSTGRES_BIN names the programs of any other version instead. The tests start a server
// of their own from those programs, on files that are thrown away.

const DEBIAN_FOLDER = '/usr/lib/postgresql/15/bin';

ensureInstalled();
const binFolder = process.env.PITBOARD_POSTGRES_BIN ?? DEBIAN_FOLDER;
if (!existsSync(join(binFolder, 'postgres')) && !installFromDebian()) {
  console.log('Skipped: these tests need the Debian package postgresql-15, or PITBOARD_POSTGRES_BIN.');
  process.exit(0);
}
const { stdout } = spawnSync(join(binFolder, 'postgres'), ['--version'], { encoding: 'utf8' });
console.log(`On ${stdout.trim()}:`);
const vitest = join(projectFolder, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--project', 'server', ...process.argv.slice(2)],
  {
    cwd: projectFolder,
    stdio: 'inherit',
    env: { ...process.env, PITBOARD_POSTGRES_BIN: binFolder },
  },
);
process.exit(status ?? 1);

function installFromDebian() {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) {
    return false;
  }
  console.log('Installing PostgreSQL 15 …');
  // The programs are wanted, not the server that the package would set up and start.
  mkdirSync('/etc/postgresql-common', { recursive: true });
  const settings = '/etc/postgresql-common/createcluster.conf';
  if (!existsSync(settings)) writeFileSync(settings, 'create_main_cluster = false\n');
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  spawnSync('apt-get', ['update', '-q'], options);
  spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'postgresql-15'], options);
  return existsSync(join(DEBIAN_FOLDER, 'postgres'));
}
