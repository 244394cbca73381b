import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureInstalled, projectFolder } from './install.mjs';
import { runSideBySide, runStep, STATIC_CHECKS } from './steps.mjs';

// `npm test`: what must hold before a commit lands, one line for each step. `npm run test:all` adds what takes long: all kills and outages, and
// the browser stories in both themes at all widths. Both stop at the first step that fails and say how to go on. The last line counts the
// tests of all runners: 'N passed, N failed'.

const resultsFolder = join(projectFolder, 'test-results');

const BUILD = { name: 'Build', script: 'build', hint: '`npm run build` shows this alone.' };

const STEPS = [
  {
    name: 'Unit and API tests',
    script: 'test:unit',
    hint: '`npm run test:unit -- NAME` runs the test files with NAME in their path.',
    count: () => countTests('unit.json', countVitest),
  },
  BUILD,
  { name: 'Size of the first page', script: 'bundle-size', hint: '`npm run bundle-size` shows this alone.' },
  {
    name: 'Started and stopped',
    script: 'test:faults',
    arguments: ['start-and-stop', 'secrets'],
    hint: '`npm run test:faults -- start-and-stop secrets` runs this alone.',
    count: () => countTests('faults.json', countVitest),
  },
  {
    name: 'Stories in the browser',
    script: 'test:e2e',
    hint: '`npm run test:e2e -- NAME --trace=on` runs one file and records pictures; test-results/e2e has them.',
    count: () => countTests('e2e.json', countPlaywright),
  },
];

const LONG_TESTS = { PITBOARD_LONG_TESTS: 'on' };

const LONG_STEPS = [
  {
    name: 'Long unit and API tests',
    script: 'test:unit',
    arguments: ['.long.test.ts'],
    environment: LONG_TESTS,
    hint: '`PITBOARD_LONG_TESTS=on npm run test:unit -- .long.test.ts` runs this alone.',
    count: () => countTests('unit.json', countVitest),
  },
  BUILD,
  {
    name: 'Killed, cut off and filled up',
    script: 'test:faults',
    hint: '`npm run test:faults` runs this alone.',
    count: () => countTests('faults.json', countVitest),
  },
  {
    name: 'Long stories in the browser',
    script: 'test:e2e',
    environment: LONG_TESTS,
    hint: '`PITBOARD_LONG_TESTS=on npm run test:e2e` runs this alone.',
    count: () => countTests('e2e.json', countPlaywright),
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
const hasPassed = isLong
  ? await runInOrder(LONG_STEPS)
  : (await runSideBySide(STATIC_CHECKS)) && (await runInOrder(STEPS));
// A runner that broke before it could count its tests has failed all the same.
if (!hasPassed && total.failed === 0) total.failed = 1;
for (const line of remarks) console.log(line);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exit(hasPassed ? 0 : 1);

/** Runs one step after the other until one fails. */
async function runInOrder(steps) {
  for (const step of steps) if (!(await runStep(step))) return false;
  return true;
}

/** Reads how many tests a runner has run, and adds them to the total; `undefined` where it wrote no results. */
function countTests(name, count) {
  const file = join(resultsFolder, name);
  if (!existsSync(file)) return undefined;
  const counts = count(JSON.parse(readFileSync(file, 'utf8')));
  for (const key of Object.keys(total)) total[key] += counts[key];
  return counts;
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
