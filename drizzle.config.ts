import { defineConfig } from 'drizzle-kit';

/** `npm run db:generate` writes a migration from the difference between the schema and the migrations so far. */
export default defineConfig({
  dialect: 'postgresql',
  schema: ['./server/kernel/*/*-schema.ts', './server/model/*/schema.ts'],
  out: './server/kernel/database/migrations',
});
