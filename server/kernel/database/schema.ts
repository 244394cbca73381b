import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { ROLES } from '#contract/permissions.ts';

// Only features that every PostgreSQL from 15 to 18 has. Tables that grow carry the track first in their keys, so
// that they can be partitioned by track. Stored JSON is `unknown` here: the stores parse it when they read it.

const writeAheadPosition = customType<{ data: string }>({ dataType: () => 'pg_lsn' });

const instant = (name: string) => timestamp(name, { withTimezone: true });

/** Marks the drivers of the demo community: only the local accounts, which are for this computer alone, lead to some of them. */
export const DEMO_ISSUER = 'demo';

/** One account at the sign-in provider, known by issuer and subject; addresses and names can change. */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    firstName: text('first_name'),
    lastName: text('last_name'),
    /** First and last name joined; null where the provider gives neither. */
    fullName: text('full_name'),
    /** Chosen here by the driver; a sign-in never changes it. */
    displayName: text('display_name'),
    email: text('email'),
    emailVerified: boolean('email_verified').notNull().default(false),
    /** Names the image that the driver has uploaded as their own picture. */
    avatarKey: text('avatar_key'),
    emailUpdates: boolean('email_updates').notNull().default(false),
    /** Others may not see the lines of the driver's laps, unless the session says otherwise. */
    keepLinesPrivate: boolean('keep_lines_private').notNull().default(false),
    /** Granted here; verified addresses in ADMIN_EMAILS are owners without it. */
    role: text('role', { enum: ROLES }).notNull().default('member'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Since then they may not sign in; an administrator can let them in again. */
    suspendedAt: instant('suspended_at'),
  },
  (table) => [
    unique('users_issuer_subject_key').on(table.issuer, table.subject),
    index('users_display_name_index').on(table.displayName),
    index('users_full_name_index').on(table.fullName),
    // Who has a name that looks the same; the function is made by a migration.
    index('users_display_name_look_index').on(sql`name_look(display_name)`),
    index('users_full_name_look_index').on(sql`name_look(full_name)`),
  ],
);

/** Whom a row belongs to; it goes with them. */
const ofUser = () => uuid('user_id').references(() => users.id, { onDelete: 'cascade' });

/** One browser that is signed in. Only the hash of its token is kept, so that a stolen table opens no door. */
export const signIns = pgTable(
  'sign_ins',
  {
    tokenSha256: text('token_sha256').primaryKey(),
    /** Names it in the list of devices; opens nothing. */
    id: uuid('id').notNull().unique().defaultRandom(),
    userId: ofUser().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    /** To within ten minutes. */
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
    /** Of the browser at the sign-in, cut short. */
    userAgent: text('user_agent'),
  },
  (table) => [
    index('sign_ins_user_index').on(table.userId),
    index('sign_ins_expiry_index').on(table.expiresAt),
  ],
);

/**
 * Where the write-ahead log stood after the last change that a driver made: a replica that has come as far shows it. Written
 * only where there is a replica to read from.
 */
export const replayPositions = pgTable('replay_positions', {
  userId: ofUser().primaryKey(),
  position: writeAheadPosition('position').notNull(),
});

export const carModels = pgTable(
  'car_models',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    make: text('make').notNull(),
    modelFamily: text('model_family').notNull(),
    variant: text('variant').notNull(),
    generation: text('generation').notNull(),
    modelKey: text('model_key').notNull(),
    modelDisplay: text('model_display').notNull(),
    years: text('years'),
    drivetrain: text('drivetrain'),
    raceClass: text('race_class'),
    /** What a search looks through: every name in lower case, once as written and once without punctuation. */
    searchText: text('search_text').notNull(),
    /** `community_submitted` from the proposal of a driver until an administrator approves it. */
    status: text('status', { enum: ['official', 'community_submitted'] })
      .notNull()
      .default('official'),
    /** The driver who proposed it; null for other cars, and once the account is gone. */
    proposedBy: uuid('proposed_by').references(() => users.id, { onDelete: 'set null' }),
    proposedAt: instant('proposed_at'),
  },
  (table) => [
    unique('car_models_model_key_key').on(table.modelKey),
    index('car_models_proposals_index').on(table.proposedBy, table.proposedAt),
    index('car_models_names_index').on(table.make, table.modelFamily, table.variant, table.generation),
  ],
);

export const userCars = pgTable(
  'user_cars',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: ofUser().notNull(),
    carModelId: uuid('car_model_id')
      .notNull()
      .references(() => carModels.id),
    nickname: text('nickname'),
    photoKey: text('photo_key'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Set when the car leaves the garage; its laps stay on the boards. */
    retiredAt: instant('retired_at'),
  },
  (table) => [index('user_cars_user_index').on(table.userId)],
);

export const tracks = pgTable('tracks', {
  id: text('id').primaryKey(),
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
  /** Where runs end on a way that does not lead back to its start; null on circuits. */
  finishLine: jsonb('finish_line'),
  sectors: jsonb('sectors').notNull(),
  outline: jsonb('outline'),
  /** The outline with fewer points, for small drawings. */
  thinOutline: jsonb('thin_outline'),
  /** The session that `thinOutline` was drawn from, where `outline` is null: it goes with that session. */
  thinOutlineSessionId: uuid('thin_outline_session_id'),
  timeZone: text('time_zone').notNull(),
  /** When the definition above last changed. */
  definedAt: instant('defined_at').notNull().defaultNow(),
  /** Since an administrator changed the definition, it stays what they made it when the library file brings another. */
  correctedAt: instant('corrected_at'),
  /** Set as long as the laps are to be timed again because of such a change. */
  retimeDueAt: instant('retime_due_at'),
  /** Meanwhile, the last session that was timed again, in the order of their ids; null before the first. */
  retimedSessionId: uuid('retimed_session_id'),
  /** Grows with every change of what the track's board shows, in the transaction that makes it; raised by `changeLaps` alone. */
  boardVersion: bigint('board_version', { mode: 'number' }).notNull().default(0),
  /** Drivers with a ranking lap; counted whenever `boardVersion` grows. */
  entryCount: integer('entry_count').notNull().default(0),
});

/** A raw lap file, kept so that its laps can be timed again. The same bytes and the same positions are accepted once. */
export const lapFiles = pgTable(
  'lap_files',
  {
    sha256: text('sha256').primaryKey(),
    /** Of the positions alone; null where there are too few to tell, and in rows of old until they are timed again. */
    positionsHash: text('positions_hash'),
    /** Of the positions with fewer decimals, in every way; empty as above. See `hashRoundedPositions`. */
    roundedHashes: text('rounded_hashes')
      .array()
      .notNull()
      .default(sql`'{}'`),
    storageKey: text('storage_key').notNull(),
    userId: ofUser().notNull(),
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

/** One lap file driven on one track in one car. */
export const sessions = pgTable(
  'sessions',
  {
    trackId: text('track_id')
      .notNull()
      .references(() => tracks.id),
    id: uuid('id').notNull().defaultRandom(),
    userId: ofUser().notNull(),
    userCarId: uuid('user_car_id').references(() => userCars.id),
    tireCompound: text('tire_compound', { enum: ['street-300', 'track-200', 'rcomp', 'full-slick'] }),
    videoUrl: text('video_url'),
    /** Whether others may not see the lines of its laps; null: as the profile of its driver says. */
    linesPrivate: boolean('lines_private'),
    startedAt: instant('started_at').notNull(),
    /** `startedAt` as ISO 8601 with the track's own offset from UTC at that moment. */
    sessionDate: text('session_date').notNull(),
    gpsRateHz: doublePrecision('gps_rate_hz'),
    droppedCounts: jsonb('dropped_counts').notNull(),
    engineVersion: text('engine_version').notNull(),
    /** The version of the automatic checks that its best lap has been through; 0 before the first. */
    rulesVersion: integer('rules_version').notNull().default(0),
    /** What the car did at most in that lap; null where its trace does not show it. */
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

const lapStatus = (name: string) => text(name, { enum: ['valid', 'warning', 'rejected', 'incomplete'] });

/** Laps as timed; which of them rank is said by `status`. Who drove them, and in what, is said by their session. */
export const laps = pgTable(
  'laps',
  {
    trackId: text('track_id').notNull(),
    sessionId: uuid('session_id').notNull(),
    number: integer('number').notNull(), // in the file, from 1; may change when the file is retimed
    /** Stays the same when the file is retimed, so that links to the lap go on working. */
    id: uuid('id').notNull().defaultRandom(),
    lapTimeMs: integer('lap_time_ms').notNull(),
    uncertaintyMs: integer('uncertainty_ms').notNull(),
    status: lapStatus('status').notNull(),
    /** The status that the lap has without its driver's wish, and without a verdict; set as long as there is one. */
    leftOutStatus: lapStatus('left_out_status'),
    rejectedStatus: lapStatus('rejected_status'),
    reasons: text('reasons').array().notNull(),
    startedAt: instant('started_at').notNull(),
    /** Null for a sector whose line was not passed. */
    sectorTimesMs: integer('sector_times_ms').array().$type<(number | null)[]>().notNull(),
    /** Of the positions between its two passes, by which a copy of the lap is known; null as in lap files. */
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
 * The best ranking lap of each session that has one, with all that boards choose and rank by; derived from the tables above, and
 * written by `changeLaps` alone. Some twelve times fewer rows than laps, and boards read nothing but the indexes.
 */
export const sessionBests = pgTable(
  'session_bests',
  {
    trackId: text('track_id').notNull(),
    sessionId: uuid('session_id').notNull(),
    userId: uuid('user_id').notNull(),
    /** What boards call the driver. */
    driverName: text('driver_name').notNull(),
    carModelId: uuid('car_model_id'),
    tireCompound: text('tire_compound'),
    /** Of the session: periods are counted from here. */
    startedAt: instant('started_at').notNull(),
    lapTimeMs: integer('lap_time_ms').notNull(),
    lapStartedAt: instant('lap_started_at').notNull(),
    lapNumber: integer('lap_number').notNull(),
    /** The ranking laps of the session. */
    lapCount: integer('lap_count').notNull(),
    /**
     * Where the lap is the driver's best on the track with this car model on these tyres: the ranking laps of all such
     * sessions. Boards without a period need no other rows. Null elsewhere.
     */
    sameCarLapCount: integer('same_car_lap_count'),
  },
  (table) => {
    const { trackId, sessionId, userId, driverName, startedAt, lapTimeMs } = table;
    const boardOrder = [lapTimeMs, table.lapStartedAt, sessionId, table.lapNumber] as const;
    const ofCar = [table.carModelId, table.tireCompound] as const;
    const isBestInCar = sql`same_car_lap_count is not null`;
    return [
      primaryKey({ name: 'session_bests_pkey', columns: [trackId, sessionId] }),
      foreignKey({
        name: 'session_bests_session_fkey',
        columns: [trackId, sessionId],
        foreignColumns: [sessions.trackId, sessions.id],
      }).onDelete('cascade'),
      // In the order of boards: a page is read from its front.
      index('session_bests_cars_index')
        .on(trackId, ...boardOrder, userId, ...ofCar)
        .where(isBestInCar),
      index('session_bests_period_index').on(trackId, ...boardOrder, userId, ...ofCar, startedAt),
      // Driver by driver: racers are counted by their names without sorting or hashing them first.
      index('session_bests_car_drivers_index')
        .on(trackId, driverName, userId, lapTimeMs, ...ofCar, table.sameCarLapCount)
        .where(isBestInCar),
      index('session_bests_period_drivers_index').on(
        trackId,
        driverName,
        userId,
        lapTimeMs,
        ...ofCar,
        startedAt,
        table.lapCount,
      ),
      // For filters that few cars pass, where a walk in the order of the board would pass over nearly everybody.
      index('session_bests_car_index').on(trackId, table.carModelId).where(isBestInCar),
      index('session_bests_user_index').on(userId, trackId),
    ];
  },
);

/** Apex tracks as imported, kept apart from the library until they are migrated. */
export const apexTracks = pgTable('apex_tracks', {
  /** The names that tell the track from others, in small letters. */
  key: text('key').primaryKey(),
  /** The track with its traps, in the order of the file. */
  definition: jsonb('definition').notNull(),
  changedAt: instant('changed_at').notNull().defaultNow(),
});

/** Upload addresses whose image was taken, so that none brings a second one; forgotten when they have long expired. */
export const takenUploads = pgTable('taken_uploads', {
  /** Where in the storage the image was sent to. */
  key: text('key').primaryKey(),
  takenAt: instant('taken_at').notNull().defaultNow(),
});

/** What administrators did, who became one, and what drivers changed of their sessions; only ever added to. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** No reference to the user, so that the entry outlives the account. Null for a command at the server's terminal. */
    userId: uuid('user_id'),
    action: text('action').notNull(),
    /** The id of the track, the user, the session or the car that it was done to; null where it was many. */
    subject: text('subject'),
    /** How many rows came to what. */
    counts: jsonb('counts').notNull(),
    /** What it was before and after, by the name of the field, where that is worth knowing. */
    changes: jsonb('changes'),
    at: instant('at').notNull().defaultNow(),
  },
  (table) => [index('audit_log_at_index').on(table.at)],
);

/** What has become of the demo community: one row, from its first start on; none where there never was one. */
export const demoCommunity = pgTable('demo_community', {
  /** Always true: keeps the table to one row. */
  isOnly: boolean('is_only').primaryKey().default(true),
  /** Once removed, it never comes back. */
  state: text('state', { enum: ['preparing', 'ready', 'removed'] }).notNull(),
  /** The season ends here; the same after every start, so that the same season goes on. */
  beganAt: instant('began_at').notNull(),
});
