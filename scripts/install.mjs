import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// This module runs before any package is installed, so it uses none.

export const projectFolder = fileURLToPath(new URL('..', import.meta.url));

const OLDEST_NODE = [20, 19];

/** Checks Node and installs the packages when they are missing or not those of package-lock.json. Ends the process with a sentence where it cannot. */
export function ensureInstalled() {
  requireNode();
  if (isInstalled()) return;
  console.log('Installing packages. The first time this takes a minute or two …');
  const { status, error } = runNpm(
    ['ci', '--include=dev', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  if (status !== 0) {
    end(
      `The packages could not be installed${error ? ` (${error.message})` : ''}. Is the npm registry reachable? 'npm ci' shows more.`,
    );
  }
}

/** Runs npm, by preference the one that runs this script. */
export function runNpm(npmArguments, options = {}) {
  const npm = process.env.npm_execpath;
  const settings = { cwd: projectFolder, ...options };
  return npm
    ? spawnSync(process.execPath, [npm, ...npmArguments], settings)
    : spawnSync('npm', npmArguments, { ...settings, shell: process.platform === 'win32' });
}

/**
 * Ends the process after a sentence for the person who started it.
 * @returns {never}
 */
export function end(sentence) {
  console.error(sentence);
  process.exit(1);
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  end(
    `Pitboard needs Node ${OLDEST_NODE.join('.')} or later; this is ${process.versions.node}. https://nodejs.org has it.`,
  );
}

/**
 * npm writes a list of what it installed when it has finished. Everything that package-lock.json asks for must be on
 * it in the same version; packages for other kinds of computers are left out.
 */
function isInstalled() {
  const wanted = readPackages('package-lock.json');
  const installed = readPackages(join('node_modules', '.package-lock.json'));
  if (installed === null) return false;
  return Object.entries(wanted ?? {}).every(
    ([path, entry]) => path === '' || !isForThisComputer(entry) || installed[path]?.version === entry.version,
  );
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(join(projectFolder, path), 'utf8')).packages;
  } catch {
    return null;
  }
}

/** Tests if a package is for this computer. An optional one that names no system may be missing for other reasons. */
function isForThisComputer({ optional, os, cpu, libc }) {
  if (!optional) return true;
  if (libc !== undefined || os === undefined || cpu === undefined) return false;
  return os.includes(process.platform) && cpu.includes(process.arch);
}
