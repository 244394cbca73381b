import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import './tests/load-sources.mjs';
import { isLongRun } from './tests/long-run.ts';

// A test that hangs ends after this time. Machines may be busy, and tests make databases and drive thousands of laps.
const PATIENCE_MS = 300_000;

// Files that take ten seconds and more run in `npm run test:all` alone, but for the rules that most changes touch. It also runs those named `*.recordings.test.ts` and
// `*.sampled.test.ts`, which then try all recordings of LAP_SAMPLES and all of their cases instead of some.
const LONG_TESTS = '**/*.long.test.ts';

// These tests check PostgreSQL itself: its plans, its partitions, its files.
const NOT_ON_CITUS = [
  'server/model/boards/query-plans.test.ts',
  'server/kernel/database/partition-by-track.test.ts',
  'server/kernel/database/embedded-postgres.test.ts',
];
const isOnCitus = process.env['PITBOARD_TEST_CITUS'] !== undefined;
// The suites on other databases leave these files out.
const leftOut = process.env['PITBOARD_TEST_LEFT_OUT']?.split(',').filter((glob) => glob !== '') ?? [];

// `expect.poll` waits until something holds; a busy machine is slow, not wrong.
const POLLING = { poll: { timeout: 20_000 } };

const LOAD_SOURCES = ['--import', './tests/load-sources.mjs'];

/**
 * `npx vitest run engine` runs one layer. Only the server's tests start a database. Files leave nothing behind, so they are not isolated: one
 * after the other in the same process, they load each module once, which saves 40 % of the processor time.
 */
export default defineConfig({
  test: {
    // The server's tests wait two thirds of their time, for databases, threads and other processes.
    maxWorkers: availableParallelism() + 1,
    // Node loads the modules itself: the engine's code runs a third quicker than behind Vite's exports.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        test: {
          name: 'layers',
          isolate: false,
          execArgv: LOAD_SOURCES,
          include: ['{engine,contract,web,scripts,bench,tests/soak}/**/*.test.{ts,tsx}'],
          exclude: isLongRun ? [] : [LONG_TESTS],
          setupFiles: ['tests/seed.ts'],
          testTimeout: PATIENCE_MS,
          expect: POLLING,
        },
      },
      {
        test: {
          name: 'server',
          isolate: false,
          execArgv: LOAD_SOURCES,
          // Connections and clocks of a busy machine: in CI they get a second attempt.
          retry: process.env['CI'] === undefined ? 0 : 1,
          include: ['server/**/*.test.ts'],
          exclude: [...(isLongRun ? [] : [LONG_TESTS]), ...(isOnCitus ? NOT_ON_CITUS : []), ...leftOut],
          setupFiles: ['tests/seed.ts'],
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          expect: POLLING,
          globalSetup: ['server/testing/test-server.ts'],
        },
      },
    ],
  },
});
