import { pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const instant = (name: string) => timestamp(name, { withTimezone: true });

/** Tracks that an administrator deleted, so that the library file does not bring them back. */
export const removedTracks = pgTable('removed_tracks', {
  id: text('id').primaryKey(),
  removedAt: instant('removed_at').notNull().defaultNow(),
});

/** Which state of a library file was loaded last, to skip one that has not changed. */
export const loadedLibraries = pgTable('loaded_libraries', {
  name: text('name').primaryKey(),
  sha256: text('sha256').notNull(),
  loadedAt: instant('loaded_at').notNull().defaultNow(),
});
