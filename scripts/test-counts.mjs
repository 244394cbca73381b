import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectFolder } from './install.mjs';

// Counts the tests of all runners that one command starts. Its last line is 'N passed, N failed, N skipped'; `.ci/run` adds these lines up.

export const resultsFolder = join(projectFolder, 'test-results');

const total = { passed: 0, failed: 0, skipped: 0 };
/** The remarks name files with skipped tests, and tests that passed only at the second attempt. */
const remarks = [];

/** Adds the tests of a vitest run to the total; returns undefined where it wrote no results. */
export function countVitest(fileName) {
  const results = readResults(fileName);
  if (results === undefined) return undefined;
  const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests, numTodoTests } = results;
  for (const { name, assertionResults } of results.testResults) {
    const path = relative(projectFolder, name);
    const skipped = assertionResults.filter(({ status }) => status === 'pending' || status === 'skipped');
    if (skipped.length > 0) remarks.push(`  skipped: ${skipped.length} in ${path}`);
    for (const { fullName, status, failureMessages } of assertionResults) {
      // A test that passed keeps the failures of its first attempt.
      if (status === 'passed' && failureMessages.length > 0) addFlaky(`${path}: ${fullName}`);
    }
  }
  // A file that could not be loaded has no tests to count.
  const failed = numFailedTests > 0 ? numFailedTests : numFailedTestSuites;
  return addToTotal({ passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests });
}

/** Adds the stories of a Playwright run to the total; returns undefined where it wrote no results. */
export function countPlaywright(fileName) {
  const results = readResults(fileName);
  if (results === undefined) return undefined;
  for (const { file, title } of listFlaky(results.suites)) addFlaky(`${file}: ${title}`);
  const { expected, flaky, unexpected, skipped } = results.stats;
  return addToTotal({ passed: expected + flaky, failed: unexpected, skipped });
}

/** Prints the remarks and the number of tests. A run that broke before it could count its tests has failed nevertheless. */
export function printTotal(hasPassed) {
  if (!hasPassed && total.failed === 0) total.failed = 1;
  for (const line of remarks) console.log(line);
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
}

function readResults(fileName) {
  const file = join(resultsFolder, fileName);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function addToTotal(counts) {
  for (const key of Object.keys(total)) total[key] += counts[key];
  return counts;
}

function addFlaky(name) {
  remarks.push(`  flaky: passed only at the second attempt: ${name}`);
}

function listFlaky(suites) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky')),
    ...listFlaky(inner),
  ]);
}
