import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '#server/kernel/database/columns.ts';

/** Upload addresses whose image was taken, so that none brings a second one; forgotten when they have long expired. */
export const takenUploads = pgTable('taken_uploads', {
  /** Where in the storage the image was sent to. */
  key: text('key').primaryKey(),
  takenAt: instant('taken_at').notNull().defaultNow(),
});
