import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { LapId, SessionId, TrackId, UserCarId } from '#contract/ids.ts';
import { bytes, instant } from '#server/kernel/database/columns.ts';
import { userCars } from '#server/model/cars/schema.ts';
import { trackIdColumn, tracks } from '#server/model/tracks/schema.ts';
import { userIdColumn } from '#server/model/people/schema.ts';

/** Holds raw lap files, for timing them again. The same bytes and the same positions are accepted once; samples, once of each driver. */
export const lapFiles = pgTable(
  'lap_files',
  {
    /** Holds the hash of the bytes; that of a sample is followed by its driver (`sample-files.ts`). */
    sha256: text('sha256').primaryKey(),
    /** Holds a hash of the positions alone; null for too few of them, and in old rows until they are timed again. */
    positionsHash: text('positions_hash'),
    /** Holds hashes of the positions with fewer decimals (`hashRoundedPositions`), one for each kind of rounding. */
    roundedHashes: text('rounded_hashes')
      .array()
      .notNull()
      .default(sql`'{}'`),
    storageKey: text('storage_key').notNull(),
    userId: userIdColumn().notNull(),
    fileName: text('file_name').notNull(),
    byteCount: bigint('byte_count', { mode: 'number' }).notNull(),
    format: text('format').notNull(),
    uploadedAt: instant('uploaded_at').notNull().defaultNow(),
  },
  (table) => [
    unique('lap_files_storage_key_key').on(table.storageKey),
    unique('lap_files_positions_hash_key').on(table.positionsHash),
    index('lap_files_rounded_index').using('gin', table.roundedHashes),
    index('lap_files_user_index').on(table.userId),
  ],
);

/** Holds sessions: each is one lap file driven on one track in one car. */
export const sessions = pgTable(
  'sessions',
  {
    trackId: text('track_id')
      .$type<TrackId>()
      .notNull()
      .references(() => tracks.id),
    id: uuid('id').notNull().$type<SessionId>().defaultRandom(),
    userId: userIdColumn().notNull(),
    userCarId: uuid('user_car_id')
      .$type<UserCarId>()
      .references(() => userCars.id),
    tireCompound: text('tire_compound', { enum: ['street-300', 'track-200', 'rcomp', 'full-slick'] }),
    videoUrl: text('video_url'),
    /** Hides the lines of its laps from others; null: the driver's profile decides. */
    linesPrivate: boolean('lines_private'),
    startedAt: instant('started_at').notNull(),
    /** Holds `startedAt` as ISO 8601 with the track's own offset from UTC at that moment. */
    sessionDate: text('session_date').notNull(),
    gpsRateHz: doublePrecision('gps_rate_hz'),
    droppedCounts: jsonb('dropped_counts').notNull(),
    engineVersion: text('engine_version').notNull(),
    /** The automatic checks of this version last checked its best lap; 0 before the first check. */
    rulesVersion: integer('rules_version').notNull().default(0),
    /** Holds the extreme values of the car in that lap; null where its trace does not show them. */
    extremes: jsonb('extremes'),
    lapFileSha256: text('lap_file_sha256')
      .notNull()
      .references(() => lapFiles.sha256),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: 'sessions_pkey', columns: [table.trackId, table.id] }),
    index('sessions_id_index').on(table.id),
    index('sessions_user_index').on(table.userId, table.startedAt),
    index('sessions_user_car_index').on(table.userCarId),
    index('sessions_lap_file_index').on(table.lapFileSha256),
  ],
);

const lapStatus = (name: string) =>
  text(name, { enum: ['valid', 'warning', 'simulated', 'rejected', 'incomplete'] });

/** Laps as timed; which of them rank is said by `status`. Who drove them, and in what, is said by their session. */
export const laps = pgTable(
  'laps',
  {
    trackId: text('track_id').$type<TrackId>().notNull(),
    sessionId: uuid('session_id').$type<SessionId>().notNull(),
    number: integer('number').notNull(), // in the file, from 1; may change when the file is retimed
    /** Stays the same when the file is retimed, so that links to the lap go on working. */
    id: uuid('id').notNull().$type<LapId>().defaultRandom(),
    lapTimeMs: integer('lap_time_ms').notNull(),
    uncertaintyMs: integer('uncertainty_ms').notNull(),
    status: lapStatus('status').notNull(),
    /** Keeps the status without the driver's choice and without a verdict; set as long as there is one of them. */
    leftOutStatus: lapStatus('left_out_status'),
    rejectedStatus: lapStatus('rejected_status'),
    reasons: text('reasons').array().notNull(),
    startedAt: instant('started_at').notNull(),
    /** Is null for a sector whose line was not passed. */
    sectorTimesMs: integer('sector_times_ms').array().$type<(number | null)[]>().notNull(),
    /** Holds a hash of the positions between its two passes, which identifies a copy of the lap; null as in lap files. */
    positionsHash: text('positions_hash'),
  },
  (table) => [
    primaryKey({ name: 'laps_pkey', columns: [table.trackId, table.sessionId, table.number] }),
    uniqueIndex('laps_id_index').on(table.trackId, table.id),
    foreignKey({
      name: 'laps_session_fkey',
      columns: [table.trackId, table.sessionId],
      foreignColumns: [sessions.trackId, sessions.id],
    }).onDelete('cascade'),
    index('laps_positions_index').on(table.trackId, table.positionsHash),
  ],
);

/**
 * Holds sessions that were deleted within the last minute: all their rows as JSON, with which the driver may restore them. Their
 * files stay as long as the row does.
 */
export const deletedSessions = pgTable(
  'deleted_sessions',
  {
    id: uuid('id').primaryKey().$type<SessionId>(),
    /** No reference: a track may be deleted meanwhile. */
    trackId: text('track_id').$type<TrackId>().notNull(),
    userId: userIdColumn().notNull(),
    storageKey: text('storage_key').notNull(),
    /** Holds the rows by the name of their table, as `deleted-session-store.ts` writes them. */
    rows: jsonb('rows').notNull(),
    deletedAt: instant('deleted_at').notNull().defaultNow(),
  },
  (table) => [index('deleted_sessions_user_index').on(table.userId)],
);

/** Lap files that drivers have sent and not uploaded to a board yet. The id is the token that names one: it cannot be guessed. */
export const pendingFiles = pgTable(
  'pending_files',
  {
    id: uuid('id').primaryKey(),
    userId: userIdColumn().notNull(),
    fileName: text('file_name').notNull(),
    byteCount: bigint('byte_count', { mode: 'number' }).notNull(),
    receivedBytes: bigint('received_bytes', { mode: 'number' }).notNull(),
    /** Holds the hash of the content; null for a file that was sent in parts. */
    sha256: text('sha256'),
    /** The file, or its first part, was sent at this time. */
    sentAt: instant('sent_at').notNull().defaultNow(),
  },
  (table) => [index('pending_files_user_index').on(table.userId)],
);

/**
 * The line of a track along which laps are compared, made from the best laps of several drivers: derived, and made again when
 * these change. It is used only as long as all of those laps rank and are shown to all.
 */
export const referenceLines = pgTable('reference_lines', {
  trackId: trackIdColumn().primaryKey(),
  line: bytes('line').notNull(),
  lapIds: uuid('lap_ids').array().$type<LapId[]>().notNull(),
  engineVersion: text('engine_version').notNull(),
  /** `definedAt` of the track as it was. */
  trackDefinedAt: instant('track_defined_at').notNull(),
  builtAt: instant('built_at').notNull(),
});
