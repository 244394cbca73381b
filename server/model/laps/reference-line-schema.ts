import { customType, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { CornerName } from '#engine/comparison/name-corners.ts';
import { tracks } from '#server/kernel/database/schema.ts';

const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (value) => Buffer.from(value),
});

/**
 * The line of a track along which laps are compared, made from the best laps of several drivers: derived, and made again when
 * these change. It is used only as long as all of those laps rank and are shown to all.
 */
export const referenceLines = pgTable('reference_lines', {
  trackId: text('track_id')
    .primaryKey()
    .references(() => tracks.id, { onDelete: 'cascade' }),
  /** As `encodeReferenceLine` writes it. */
  line: bytes('line').notNull(),
  lapIds: uuid('lap_ids').array().notNull(),
  engineVersion: text('engine_version').notNull(),
  /** `definedAt` of the track as it was. */
  trackDefinedAt: timestamp('track_defined_at', { withTimezone: true }).notNull(),
  builtAt: timestamp('built_at', { withTimezone: true }).notNull(),
});

/** What administrators call the corners of a track, by where these are. */
export const cornerNames = pgTable('corner_names', {
  trackId: text('track_id')
    .primaryKey()
    .references(() => tracks.id, { onDelete: 'cascade' }),
  names: jsonb('names').$type<CornerName[]>().notNull(),
});
