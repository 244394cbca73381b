import { defineConfig } from 'vitest/config';

/** Tests of the built server on a primary with a replica, and of several copies; `npm run test:replica`. */
export default defineConfig({
  test: {
    include: ['tests/replica/*.test.ts'],
    // Every test starts databases and servers, and some kill them.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    fileParallelism: false,
  },
});
