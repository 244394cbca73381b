import { spawnSync } from 'node:child_process';

/**
 * Installs Debian's packages where that is permitted: as root, with apt-get.
 * @param {readonly string[]} packages
 * @returns {string | null} the reason why they were not installed; null where they are
 */
export function installFromDebian(packages) {
  if (process.getuid?.() !== 0) return 'only root can install them';
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) return 'there is no apt-get';
  console.log(`Installing Debian’s ${packages.join(', ')} …`);
  const options = {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  };
  const wait = ['-qq', '-o', 'DPkg::Lock::Timeout=300'];
  spawnSync('apt-get', ['update', ...wait], options);
  const { status } = spawnSync(
    'apt-get',
    ['install', '-y', '--no-install-recommends', ...wait, ...packages],
    options,
  );
  return status === 0 ? null : 'apt-get could not install them';
}
