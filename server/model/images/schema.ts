import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '#server/kernel/database/columns.ts';

/** Holds used upload addresses, so that none is used twice; they are deleted long after they expire. */
export const takenUploads = pgTable('taken_uploads', {
  key: text('key').primaryKey(),
  takenAt: instant('taken_at').notNull().defaultNow(),
});
