import { defineConfig } from 'vitest/config';

/** The pages of the built server in a Firefox; `npm run test:firefox`. */
export default defineConfig({
  test: {
    include: ['tests/firefox/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    fileParallelism: false,
  },
});
