import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { CarModelId, SessionId, TrackId, UserId } from '#contract/ids.ts';
import { instant } from '#server/kernel/database/columns.ts';
import { sessions } from '#server/model/laps/schema.ts';

/**
 * Holds the best ranking lap of each session that has one, with all columns that boards filter and rank by; derived
 * from the tables above, and written by `changeLaps` alone. It has some twelve times fewer rows than laps, and boards
 * read only its indexes.
 */
export const sessionBests = pgTable(
  'session_bests',
  {
    trackId: text('track_id').$type<TrackId>().notNull(),
    sessionId: uuid('session_id').$type<SessionId>().notNull(),
    userId: uuid('user_id').$type<UserId>().notNull(),
    driverName: text('driver_name').notNull(),
    carModelId: uuid('car_model_id').$type<CarModelId>(),
    tireCompound: text('tire_compound'),
    /** The session starts at this time, from which periods are counted. */
    startedAt: instant('started_at').notNull(),
    lapTimeMs: integer('lap_time_ms').notNull(),
    lapStartedAt: instant('lap_started_at').notNull(),
    lapNumber: integer('lap_number').notNull(),
    lapCount: integer('lap_count').notNull(),
    /**
     * Counts the ranking laps of all sessions with this car model on these tyres where the lap is the driver's best of
     * them on the track. Boards without a period need no other rows. Null elsewhere.
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
      // The index has the order of boards: a page is read from its front.
      index('session_bests_cars_index')
        .on(trackId, ...boardOrder, userId, ...ofCar)
        .where(isBestInCar),
      index('session_bests_period_index').on(trackId, ...boardOrder, userId, ...ofCar, startedAt),
      // The index is ordered by driver: racers are counted by their names without sorting or hashing them first.
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
      // The index serves filters that few cars pass, where a scan in the order of the board would skip nearly all rows.
      index('session_bests_car_index').on(trackId, table.carModelId).where(isBestInCar),
      index('session_bests_user_index').on(userId, trackId),
    ];
  },
);
