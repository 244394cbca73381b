import { defineConfig } from 'vitest/config';

/** Tests that kill the built server; `npm run test:faults`, after `npm run build`. */
export default defineConfig({
  test: {
    include: ['tests/faults/*.test.ts'],
    // Every test starts servers and kills them.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Half of their time is waiting; every file has servers, folders and ports of its own.
    maxWorkers: 2,
    // Processes and ports of a busy machine: in CI they get a second attempt.
    retry: process.env['CI'] === undefined ? 0 : 1,
  },
});
