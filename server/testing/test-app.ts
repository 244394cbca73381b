import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type AppSettings, buildApp } from '#server/app.ts';
import { type OpenDatabase, openDatabase } from '#server/db/database.ts';
import { projectFolder } from '#server/project-folder.ts';
import { createTestDatabase } from './test-database.ts';

/** The whole app on a database of its own. */
export type TestApp = {
  app: FastifyInstance;
  database: OpenDatabase;
  close: () => Promise<void>;
};

const SETTINGS: AppSettings = {
  version: '1.2.3',
  publicUrl: 'http://localhost:4200',
  cookieSecret: 'a secret that only the tests know',
  adminEmails: ['admin@pitboard.example'],
  oidc: null,
};

/** Builds the app for one test file: call it in `beforeAll`, and what it gives as `close` in `afterAll`. */
export async function startTestApp(
  options: { settings?: Partial<AppSettings>; webFolder?: string } = {},
): Promise<TestApp> {
  const testDatabase = await createTestDatabase();
  const database = openDatabase(testDatabase.connectionString);
  const app = await buildApp({
    settings: { ...SETTINGS, ...options.settings },
    database,
    webFolder: options.webFolder ?? join(projectFolder, 'no-web-client-here'),
  });
  return {
    app,
    database,
    close: async () => {
      await app.close();
      await database.close();
      await testDatabase.drop();
    },
  };
}
