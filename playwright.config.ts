import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { ensureBuilt } from './scripts/build.mjs';
import { findBrowser } from './scripts/find-browser.mjs';
import { isLongRun } from './tests/long-run.ts';

ensureBuilt();
const { executablePath, args, env } = await findBrowser();

/** The stories in tests/e2e, in a real browser against the built server, which they start with `startPitboard`. */
export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/prepare-data.ts',
  outputDir: 'test-results/e2e',
  ...(isLongRun ? { grep: /@(all|matrix)\b/ } : { grepInvert: /@all\b/ }),
  // A third of a story's time is waiting, so one more than cores; but each starts a server, which its files share.
  workers: Math.min(availableParallelism() + 1, 4),
  timeout: isLongRun ? 300_000 : 180_000,
  // A busy machine is slow, not wrong.
  expect: { timeout: 40_000 },
  // Stories that pass only at the second attempt are listed as flaky.
  retries: process.env['CI'] === undefined ? 0 : 1,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    // This language has no region: pages show the specified forms of dates, and kilometres.
    locale: 'en',
    launchOptions: { executablePath, args, env: { ...processEnvironment(), ...env } },
    // Recording every step costs a quarter of the processor time, and pictures of failures are taken of every page first. For a story that fails: `npx playwright test NAME --trace=on`.
    trace: 'on-first-retry',
  },
});

/** Playwright takes only variables that have a value. */
function processEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
