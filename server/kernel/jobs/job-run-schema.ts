import { bigint, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** The last runs of background jobs. */
export const jobRuns = pgTable('job_runs', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  /** The kind of work. */
  name: text('name').notNull(),
  endedAt: timestamp('ended_at', { withTimezone: true }).notNull().defaultNow(),
  durationMs: integer('duration_ms').notNull(),
  /** Null where it was done. */
  error: text('error'),
});
