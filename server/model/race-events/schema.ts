import { sql } from 'drizzle-orm';
import {
  boolean,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type {
  LapId,
  RaceEventClassId,
  RaceEventEntryId,
  RaceEventId,
  RaceEventRunId,
  TrackId,
  UserCarId,
  UserId,
} from '#contract/ids.ts';
import { RACE_EVENT_STATES, RUN_STATUSES, TIE_RULES } from '#contract/race-events/labels.ts';
import { instant } from '#server/kernel/database/columns.ts';
import { userCars } from '#server/model/cars/schema.ts';
import { users } from '#server/model/people/schema.ts';

// Tracks and laps may be partitioned, so these tables name them without foreign keys.

const personColumn = (name: string) =>
  uuid(name)
    .$type<UserId>()
    .references(() => users.id, { onDelete: 'set null' });

/** Holds race events: a sprint, an autocross, a time attack, with the settings from which its results follow. */
export const raceEvents = pgTable(
  'race_events',
  {
    id: uuid('id').primaryKey().$type<RaceEventId>().defaultRandom(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    /** Days in the local time of the track, as ISO 8601. */
    firstDay: text('first_day').notNull(),
    lastDay: text('last_day').notNull(),
    state: text('state', { enum: RACE_EVENT_STATES }).notNull().default('draft'),
    /** Results are official from this moment on; null in other states than provisional and official. */
    provisionalUntil: instant('provisional_until'),
    officialAt: instant('official_at'),
    /** Holds the signed results as JSON text; null until they are official. */
    officialResults: text('official_results'),
    firstRuns: integer('first_runs'),
    countedRuns: integer('counted_runs'),
    conePenaltyMs: integer('cone_penalty_ms').notNull(),
    gatePenaltyMs: integer('gate_penalty_ms').notNull(),
    tieRule: text('tie_rule', { enum: TIE_RULES }).notNull(),
    takesLaps: boolean('takes_laps').notNull(),
    protestMinutes: integer('protest_minutes').notNull(),
    createdBy: personColumn('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [index('race_events_day_index').on(table.lastDay)],
);

const eventIdColumn = () =>
  uuid('event_id')
    .$type<RaceEventId>()
    .notNull()
    .references(() => raceEvents.id, { onDelete: 'cascade' });

/** Holds the courses of race events, each a track, whose name stays when the track goes. */
export const raceEventCourses = pgTable(
  'race_event_courses',
  {
    eventId: eventIdColumn(),
    number: integer('number').notNull(),
    trackId: text('track_id').$type<TrackId>().notNull(),
    name: text('name').notNull(),
  },
  (table) => [
    primaryKey({ name: 'race_event_courses_pkey', columns: [table.eventId, table.number] }),
    index('race_event_courses_track_index').on(table.trackId),
  ],
);

export const raceEventClasses = pgTable(
  'race_event_classes',
  {
    id: uuid('id').primaryKey().$type<RaceEventClassId>().defaultRandom(),
    eventId: eventIdColumn(),
    name: text('name').notNull(),
    indexFactor: doublePrecision('index_factor'),
    order: integer('order').notNull(),
  },
  (table) => [index('race_event_classes_event_index').on(table.eventId)],
);

/** Holds the entries of race events: people with accounts, or names that were typed. Those of people who leave have neither. */
export const raceEventEntries = pgTable(
  'race_event_entries',
  {
    id: uuid('id').primaryKey().$type<RaceEventEntryId>().defaultRandom(),
    eventId: eventIdColumn(),
    classId: uuid('class_id')
      .$type<RaceEventClassId>()
      .notNull()
      .references(() => raceEventClasses.id),
    userId: personColumn('user_id'),
    driverName: text('driver_name'),
    userCarId: uuid('user_car_id')
      .$type<UserCarId>()
      .references(() => userCars.id, { onDelete: 'set null' }),
    /** The name of the car: typed, or as it was when the entry was made. */
    carName: text('car_name'),
    number: text('number').notNull(),
    group: text('group'),
    enteredAt: instant('entered_at').notNull().defaultNow(),
    withdrawnAt: instant('withdrawn_at'),
  },
  (table) => [
    // The number of an entry that was withdrawn is free again.
    uniqueIndex('race_event_entries_number_key')
      .on(table.eventId, table.number)
      .where(sql`withdrawn_at is null`),
    index('race_event_entries_class_index').on(table.classId),
    index('race_event_entries_user_index').on(table.userId),
    index('race_event_entries_user_car_index').on(table.userCarId),
  ],
);

/** Holds what was recorded about runs: times that were typed, or penalties and statuses of laps. */
export const raceEventRuns = pgTable(
  'race_event_runs',
  {
    id: uuid('id').primaryKey().$type<RaceEventRunId>().defaultRandom(),
    entryId: uuid('entry_id')
      .$type<RaceEventEntryId>()
      .notNull()
      .references(() => raceEventEntries.id, { onDelete: 'cascade' }),
    courseNumber: integer('course_number').notNull(),
    /** The lap of a lap file on the track of the course; null for a time that was typed. */
    lapId: uuid('lap_id').$type<LapId>(),
    timeMs: integer('time_ms'),
    cones: integer('cones').notNull(),
    gates: integer('gates').notNull(),
    status: text('status', { enum: RUN_STATUSES }).notNull(),
    reason: text('reason'),
    /** Runs without a lap come in this order. */
    recordedAt: instant('recorded_at').notNull().defaultNow(),
    changedAt: instant('changed_at').notNull().defaultNow(),
    changedBy: personColumn('changed_by'),
  },
  (table) => [
    index('race_event_runs_entry_index').on(table.entryId, table.recordedAt),
    uniqueIndex('race_event_runs_lap_key').on(table.entryId, table.lapId),
    index('race_event_runs_changed_by_index').on(table.changedBy),
  ],
);
