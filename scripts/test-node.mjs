import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { end, ensureInstalled, projectFolder, runNpm } from './install.mjs';

// `npm run test:node -- 24 [PATH…]` runs the unit and API tests on another Node, whose binary is an npm package. It is stored
// in .cache; the rest of the computer stays unchanged.

const [major, ...paths] = process.argv.slice(2);
if (!/^\d{2}$/.test(major ?? '')) end('Say which Node: npm run test:node -- 24');

ensureInstalled();
const system = process.platform === 'win32' ? 'win' : process.platform;
const name = `node-${system}-${process.arch}`;
const folder = join(projectFolder, '.cache', `node-${major}`);
const installed = runNpm(
  [
    'install',
    `${name}@${major}`,
    '--prefix',
    folder,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ],
  { stdio: 'inherit' },
);
if (installed.status !== 0) end(`${name}@${major} could not be installed.`);

const binary = join(folder, 'node_modules', name, 'bin', system === 'win' ? 'node.exe' : 'node');
const vitest = join(projectFolder, 'node_modules', 'vitest', 'vitest.mjs');
console.log(`Node ${spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout.trim()}`);
const { status } = spawnSync(binary, [vitest, 'run', ...paths], {
  cwd: projectFolder,
  stdio: 'inherit',
  // Child processes of tests use it too.
  env: { ...process.env, PATH: `${join(binary, '..')}${system === 'win' ? ';' : ':'}${process.env.PATH}` },
});
process.exit(status ?? 1);
