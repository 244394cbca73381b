import { bigint, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** The last runs of background jobs. */
export const jobRuns = pgTable('job_runs', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  name: text('name').notNull(),
  endedAt: timestamp('ended_at', { withTimezone: true }).notNull().defaultNow(),
  durationMs: integer('duration_ms').notNull(),
  /** The reason of the failure; null for a run that succeeded. */
  error: text('error'),
});
