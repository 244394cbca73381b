import { bigint, doublePrecision, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { CourseId } from '#contract/ids.ts';
import type { TRACK_SET_STATES } from '#contract/tracks/labels.ts';
import type { TrackOrigin } from '#contract/tracks/schemas.ts';
import type { TrackSetResult } from '#contract/tracks/sets.ts';
import type { OutlinePoint } from '#engine/track.ts';
import { instant } from '#server/kernel/database/columns.ts';
import { userIdColumn } from '#server/model/people/schema.ts';

/** Holds the published sets that were fetched or are on their way; `published-sets.ts` has the list of all. */
export const trackSets = pgTable('track_sets', {
  name: text('name').primaryKey(),
  /** Names the version to fetch. */
  commit: text('commit').notNull(),
  state: text('state').$type<(typeof TRACK_SET_STATES)[number]>().notNull(),
  progressDone: bigint('progress_done', { mode: 'number' }).notNull().default(0),
  /** Is null while the size of a download is not known. */
  progressTotal: bigint('progress_total', { mode: 'number' }),
  problem: text('problem'),
  result: jsonb('result').$type<TrackSetResult>(),
  changedAt: instant('changed_at').notNull().defaultNow(),
});

/** Holds who asked the administrators for a set, until it is fetched or removed. */
export const trackSetRequests = pgTable(
  'track_set_requests',
  {
    setName: text('set_name').notNull(),
    userId: userIdColumn().notNull(),
    askedAt: instant('asked_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.setName, table.userId] }),
    index('track_set_requests_user_index').on(table.userId),
  ],
);

/** Holds courses: layouts of published sets whose start line is not confirmed yet. They are on no board and in no list. */
export const courses = pgTable(
  'courses',
  {
    id: uuid('id').primaryKey().$type<CourseId>().defaultRandom(),
    setName: text('set_name').notNull(),
    name: text('name').notNull(),
    configuration: text('configuration'),
    location: text('location'),
    country: text('country'),
    lengthMeters: doublePrecision('length_meters').notNull(),
    centerLat: doublePrecision('center_lat').notNull(),
    centerLon: doublePrecision('center_lon').notNull(),
    radiusMeters: doublePrecision('radius_meters').notNull(),
    /** The outline is closed, in the order of the drawing, which may be against the direction of racing. */
    outline: jsonb('outline').$type<OutlinePoint[]>().notNull(),
    origin: jsonb('origin').$type<TrackOrigin>().notNull(),
  },
  (table) => [index('courses_set_index').on(table.setName)],
);
