import { defineConfig } from 'drizzle-kit';

/** `npm run db:generate` writes a migration from the difference between the schema and the migrations so far. */
export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './server/kernel/database/schema.ts',
    './server/kernel/database/event-schema.ts',
    './server/kernel/database/notice-schema.ts',
    './server/kernel/database/mail-schema.ts',
    './server/kernel/database/webhook-schema.ts',
    './server/kernel/database/api-token-schema.ts',
    './server/kernel/database/reference-line-schema.ts',
    './server/kernel/database/flag-schema.ts',
    './server/kernel/database/job-run-schema.ts',
    './server/kernel/database/library-schema.ts',
    './server/kernel/database/credential-schema.ts',
    './server/kernel/database/call-count-schema.ts',
    './server/kernel/database/track-proposal-schema.ts',
    './server/kernel/database/pending-file-schema.ts',
  ],
  out: './server/kernel/database/migrations',
});
