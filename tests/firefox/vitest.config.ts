import { defineConfig } from 'vitest/config';

/** The pages of the built server in a Firefox; `npm run test:firefox`. */
export default defineConfig({
  test: {
    include: ['tests/firefox/*.test.ts'],
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    fileParallelism: false,
    // A busy machine is slow, not wrong. Tests that pass only at the second attempt are listed as flaky.
    retry: process.env['CI'] === undefined ? 0 : 1,
  },
});
