import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureInstalled, projectFolder, runNpm } from './install.mjs';

// `npm test`: what must hold before a commit lands, one line for each step. `npm run test:all` adds what takes long: all kills and outages, and
// the browser stories in both themes at all widths. Both stop at the first step that fails and say how to go on. The last line counts the
// tests of all runners: 'N passed, N failed'.

const resultsFolder = join(projectFolder, 'test-results');

const CHECKS = [
  { name: 'Format', script: 'format:check', hint: '`npm run format` puts the files in order.' },
  { name: 'Lint', script: 'lint', hint: '`npm run lint` shows this alone.' },
  {
    name: 'Words',
    script: 'words',
    hint: '`npm run words` shows this alone; docs/house-style.md has the terms.',
  },
  { name: 'Types of every layer', script: 'typecheck', hint: '`npm run typecheck` shows this alone.' },
  {
    name: 'Unit and API tests',
    script: 'test:unit',
    hint: '`npm run test:unit -- NAME` runs the test files with NAME in their path.',
    results: 'unit.json',
    count: countVitest,
  },
];

const BUILD = { name: 'Build', script: 'build', hint: '`npm run build` shows this alone.' };

const STEPS = [
  ...CHECKS,
  BUILD,
  { name: 'Size of the first page', script: 'bundle-size', hint: '`npm run bundle-size` shows this alone.' },
  {
    name: 'Started and stopped',
    script: 'test:faults',
    arguments: ['start-and-stop', 'secrets'],
    hint: '`npm run test:faults -- start-and-stop secrets` runs this alone.',
    results: 'faults.json',
    count: countVitest,
  },
  {
    name: 'Stories in the browser',
    script: 'test:e2e',
    hint: '`npm run test:e2e` runs this alone; test-results/e2e has pictures and traces.',
    results: 'e2e.json',
    count: countPlaywright,
  },
];

const LONG_STEPS = [
  BUILD,
  {
    name: 'Killed, cut off and filled up',
    script: 'test:faults',
    hint: '`npm run test:faults` runs this alone.',
    results: 'faults.json',
    count: countVitest,
  },
  {
    name: 'Long stories in the browser',
    script: 'test:e2e',
    environment: { PITBOARD_LONG_TESTS: 'on' },
    hint: '`PITBOARD_LONG_TESTS=on npm run test:e2e` runs this alone.',
    results: 'e2e.json',
    count: countPlaywright,
  },
];

const total = { passed: 0, failed: 0, skipped: 0 };
/** Which files had tests that were skipped, and how many stories needed a second attempt. */
const remarks = [];

ensureInstalled();
rmSync(resultsFolder, { recursive: true, force: true });
if (!process.env.LAP_SAMPLES) {
  console.log('LAP_SAMPLES is not set: the tests on recorded lap files are skipped.');
}
const isLong = process.argv.includes('--all');
const failed = (isLong ? LONG_STEPS : STEPS).find((step) => !runStep(step));
for (const line of remarks) console.log(line);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exit(failed === undefined ? 0 : 1);

/** Runs one step, prints its line, adds up its tests; false where it failed. */
function runStep(step) {
  const { name, hint, results, count } = step;
  const startMs = Date.now();
  const { status, stdout, stderr } = runStepScript(step);
  const counts = results && readCounts(join(resultsFolder, results), count);
  if (counts) for (const key of Object.keys(total)) total[key] += counts[key];
  const hasPassed = status === 0 && (!results || counts?.passed > 0);
  const seconds = ((Date.now() - startMs) / 1000).toFixed(1);
  const details = counts ? `, ${counts.passed} tests` : '';
  console.log(`${hasPassed ? '✓' : '✗'} ${name} (${seconds} s${details})`);
  if (hasPassed) return true;
  // A runner that broke before it could count its tests has failed all the same.
  if (total.failed === 0) total.failed = 1;
  console.log(`${String(stdout)}${String(stderr)}\n${name} failed. ${hint}`);
  return false;
}

function runStepScript({ script, arguments: words = [], environment = {} }) {
  return runNpm(['run', '--silent', script, ...(words.length > 0 ? ['--', ...words] : [])], {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, ...environment },
  });
}

function readCounts(file, count) {
  return existsSync(file) ? count(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}

function countVitest({
  numPassedTests,
  numFailedTests,
  numFailedTestSuites,
  numPendingTests,
  numTodoTests,
  testResults,
}) {
  for (const { name, assertionResults } of testResults) {
    const skipped = assertionResults.filter(({ status }) => status === 'pending' || status === 'skipped');
    if (skipped.length > 0) remarks.push(`  skipped: ${skipped.length} in ${relative(projectFolder, name)}`);
  }
  // A file that could not be loaded has no tests to count.
  const failed = numFailedTests > 0 ? numFailedTests : numFailedTestSuites;
  return { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests };
}

function countPlaywright({ stats }) {
  if (stats.flaky > 0) remarks.push(`  flaky: ${stats.flaky} stories passed only at the second attempt`);
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
}
