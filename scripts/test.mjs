import { rmSync } from 'node:fs';
import { ensureInstalled } from './install.mjs';
import { runSideBySide, runStep, STATIC_CHECKS } from './steps.mjs';
import { countPlaywright, countVitest, printTotal, resultsFolder } from './test-counts.mjs';

// `npm test` checks the conditions for landing a commit, with one line for each step. `npm run test:all` adds the slow tests:
// all kills and outages, and the browser stories in both themes at all widths. Both stop at the first step that fails and print
// how to continue.

const STARTS_AND_STOPS = ['start-and-stop', 'secrets'];
const BUILD = { name: 'Build', script: 'build', hint: '`npm run build` shows this alone.' };

const STEPS = [
  {
    name: 'Unit and API tests',
    script: 'test:unit',
    hint: '`npm run test:unit -- NAME` runs the test files with NAME in their path.',
    count: () => countVitest('unit.json'),
  },
  BUILD,
  { name: 'Size of the first page', script: 'bundle-size', hint: '`npm run bundle-size` shows this alone.' },
  {
    name: 'Started and stopped',
    script: 'test:faults',
    arguments: STARTS_AND_STOPS,
    hint: '`npm run test:faults -- start-and-stop secrets` runs this alone.',
    count: () => countVitest('faults.json'),
  },
  {
    name: 'Stories in the browser',
    script: 'test:e2e',
    hint: '`npm run test:e2e -- NAME --trace=on` runs one file and records pictures; test-results/e2e has them.',
    count: () => countPlaywright('e2e.json'),
  },
];

const LONG_TESTS = { PITBOARD_LONG_TESTS: 'on' };
// `npm test` runs these two files, so the long run leaves them out.
const NOT_AGAIN = STARTS_AND_STOPS.map((name) => `--exclude=tests/faults/${name}.test.ts`);

const LONG_STEPS = [
  {
    name: 'Long unit and API tests',
    script: 'test:unit',
    arguments: ['.long.test.ts', '.recordings.test.ts', '.sampled.test.ts'],
    environment: LONG_TESTS,
    hint: '`PITBOARD_LONG_TESTS=on npm run test:unit -- .long .recordings .sampled` runs this alone.',
    count: () => countVitest('unit.json'),
  },
  BUILD,
  {
    name: 'Killed, cut off and filled up',
    script: 'test:faults',
    arguments: NOT_AGAIN,
    hint: '`npm run test:faults` runs this alone.',
    count: () => countVitest('faults.json'),
  },
  {
    name: 'Long stories in the browser',
    script: 'test:e2e',
    environment: LONG_TESTS,
    hint: '`PITBOARD_LONG_TESTS=on npm run test:e2e` runs this alone.',
    count: () => countPlaywright('e2e.json'),
  },
];

ensureInstalled();
rmSync(resultsFolder, { recursive: true, force: true });
if (!process.env.LAP_SAMPLES) {
  console.log('LAP_SAMPLES is not set: the tests on recorded lap files are skipped.');
}
const isLong = process.argv.includes('--all');
const hasPassed = isLong
  ? await runInOrder(LONG_STEPS)
  : (await runSideBySide(STATIC_CHECKS)) && (await runInOrder(STEPS));
printTotal(hasPassed);
process.exit(hasPassed ? 0 : 1);

/** Runs the steps one by one until one fails. */
async function runInOrder(steps) {
  for (const step of steps) if (!(await runStep(step))) return false;
  return true;
}
