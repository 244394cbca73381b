import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './install.mjs';
import { countVitest, printTotal, resultsFolder } from './test-counts.mjs';

// `npm run test:s3` and the other suites on programs of Debian share this code.

const RESULTS = 'suite.json';

/** The tests on servers that are killed and copied have this configuration. */
export const REPLICA_CONFIG = ['--config', join('tests', 'replica', 'vitest.config.ts')];

// These tests are slow, and add nothing to the database calls of the others: hostile input, pictures, streams,
// threads.
const LITTLE_DATABASE = [
  'server/testing/hostile/hostile-*.test.ts',
  'server/features/images/*.test.ts',
  'server/features/sharing/social-cards/*.test.ts',
  'server/kernel/http/*.test.ts',
  'server/kernel/storage/*.test.ts',
  'server/kernel/workers/*.test.ts',
];

/**
 * Runs the server's tests of the given files, or all that use a database, except those of `leftOut`.
 * @returns {boolean} whether all tests passed
 */
export function runServerTests(files, environment, leftOut = []) {
  const isWhole = files.length === 0;
  return runVitest(['--project', 'server', ...files], {
    ...environment,
    PITBOARD_TEST_LEFT_OUT: [...leftOut, ...(isWhole ? LITTLE_DATABASE : [])].join(','),
  });
}

/**
 * Runs vitest and counts its tests.
 * @param {readonly string[]} options
 * @param {Record<string, string>} environment
 * @returns {boolean} whether all tests passed
 */
export function runVitest(options, environment) {
  rmSync(join(resultsFolder, RESULTS), { force: true });
  const vitest = join(projectFolder, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=test-results/${RESULTS}`];
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...options], {
    cwd: projectFolder,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  const tests = countVitest(RESULTS);
  return status === 0 && tests?.passed > 0;
}

/**
 * Ends the process after the counts of all tests.
 * @returns {never}
 */
export function endSuite(hasPassed) {
  printTotal(hasPassed);
  process.exit(hasPassed ? 0 : 1);
}

/**
 * Ends the process of a suite that cannot run here.
 * @returns {never}
 */
export function skipSuite(sentence) {
  console.log(`Skipped: ${sentence}`);
  process.exit(0);
}
