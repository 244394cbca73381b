import { defineConfig } from 'vitest/config';

/** `npx vitest run engine` runs one layer. Only the server's tests start a database. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'layers',
          include: ['{engine,contract,web,scripts,bench}/**/*.test.{ts,tsx}'],
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          // Databases are made and processes killed here, on machines that may be busy.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          globalSetup: ['server/testing/test-server.ts'],
        },
      },
    ],
  },
});
