import { defineConfig } from 'drizzle-kit';

/** `npm run db:generate` writes a migration from the difference between the schema and the migrations so far. */
export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './server/kernel/database/schema.ts',
    './server/model/events/schema.ts',
    './server/model/notices/schema.ts',
    './server/model/mail/schema.ts',
    './server/model/webhooks/schema.ts',
    './server/model/people/api-token-schema.ts',
    './server/model/laps/reference-line-schema.ts',
    './server/model/flags/schema.ts',
    './server/kernel/database/job-run-schema.ts',
    './server/model/tracks/library-schema.ts',
    './server/model/people/credential-schema.ts',
    './server/kernel/database/call-count-schema.ts',
    './server/model/tracks/track-proposal-schema.ts',
    './server/model/laps/pending-file-schema.ts',
  ],
  out: './server/kernel/database/migrations',
});
