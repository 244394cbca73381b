import { bigint, doublePrecision, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { SessionId, TrackId, UserId } from '#contract/ids.ts';
import type { TrackOrigin } from '#contract/tracks/schemas.ts';
import type { CornerName } from '#engine/comparison/name-corners.ts';
import { instant } from '#server/kernel/database/columns.ts';
import { users } from '#server/model/people/schema.ts';

export const tracks = pgTable('tracks', {
  id: text('id').primaryKey().$type<TrackId>(),
  name: text('name').notNull(),
  location: text('location'),
  configuration: text('configuration'),
  country: text('country'),
  lengthMeters: doublePrecision('length_meters'),
  status: text('status', { enum: ['official', 'community_submitted'] }).notNull(),
  radiusMeters: doublePrecision('radius_meters').notNull(),
  centerLat: doublePrecision('center_lat').notNull(),
  centerLon: doublePrecision('center_lon').notNull(),
  startFinishLine: jsonb('start_finish_line'),
  /** Runs end at this line on a course that does not return to its start; null on circuits. */
  finishLine: jsonb('finish_line'),
  sectors: jsonb('sectors').notNull(),
  outline: jsonb('outline'),
  /** Holds the outline with fewer points, for small drawings. */
  thinOutline: jsonb('thin_outline'),
  /** Names the session that `thinOutline` was drawn from, where `outline` is null; it is deleted with that session. */
  thinOutlineSessionId: uuid('thin_outline_session_id').$type<SessionId>(),
  timeZone: text('time_zone').notNull(),
  /** Describes the published set that the track comes from; null for tracks of the club and those that come with Pitboard. */
  origin: jsonb('origin').$type<TrackOrigin>(),
  /** The definition above last changed at this time. */
  definedAt: instant('defined_at').notNull().defaultNow(),
  /** Since an administrator changed the definition, it stays what they made it when the library file brings another. */
  correctedAt: instant('corrected_at'),
  /** Set as long as the laps are to be timed again because of such a change. */
  retimeDueAt: instant('retime_due_at'),
  /** Names the last session that was timed again, in the order of their ids; null before the first. */
  retimedSessionId: uuid('retimed_session_id').$type<SessionId>(),
  /** Grows with every change of what the track's board shows, in the transaction that makes it; raised by `changeLaps` alone. */
  boardVersion: bigint('board_version', { mode: 'number' }).notNull().default(0),
  /** Counts the drivers with a ranking lap; updated whenever `boardVersion` grows. */
  entryCount: integer('entry_count').notNull().default(0),
});

/** Holds tracks that an administrator deleted, so that the library file does not restore them. */
export const removedTracks = pgTable('removed_tracks', {
  id: text('id').primaryKey().$type<TrackId>(),
  removedAt: instant('removed_at').notNull().defaultNow(),
});

/** Returns the column of a row that belongs to a track and is deleted with the track. */
export const trackIdColumn = () =>
  text('track_id')
    .$type<TrackId>()
    .references(() => tracks.id, { onDelete: 'cascade' });

/** Holds the hash of the library file that was loaded last, to skip one that has not changed. */
export const loadedLibraries = pgTable('loaded_libraries', {
  name: text('name').primaryKey(),
  sha256: text('sha256').notNull(),
  loadedAt: instant('loaded_at').notNull().defaultNow(),
});

/** Records the user who proposed a track, and the time; kept after its approval. */
export const trackProposals = pgTable(
  'track_proposals',
  {
    trackId: trackIdColumn().primaryKey(),
    /** Is null once the account is deleted. */
    userId: uuid('user_id')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    proposedAt: instant('proposed_at').notNull().defaultNow(),
  },
  (table) => [index('track_proposals_user_index').on(table.userId)],
);

/** Holds tracks that were merged into others, to redirect their links. */
export const mergedTracks = pgTable(
  'merged_tracks',
  {
    id: text('id').primaryKey().$type<TrackId>(),
    /** Names a track without a foreign key (docs/decisions/0023): `deleteTrackRow` deletes the rows that refer to one. */
    intoTrackId: text('into_track_id').$type<TrackId>().notNull(),
    mergedAt: instant('merged_at').notNull().defaultNow(),
  },
  (table) => [index('merged_tracks_into_index').on(table.intoTrackId)],
);

/** Apex tracks as imported, kept apart from the library until they are migrated. */
export const apexTracks = pgTable('apex_tracks', {
  /** Joins the names that identify the track, in lower case. */
  key: text('key').primaryKey(),
  /** Holds the track with its traps, in the order of the file. */
  definition: jsonb('definition').notNull(),
  changedAt: instant('changed_at').notNull().defaultNow(),
});

/** Holds the administrators' names for the corners of a track, by position. */
export const cornerNames = pgTable('corner_names', {
  trackId: trackIdColumn().primaryKey(),
  names: jsonb('names').$type<CornerName[]>().notNull(),
});
