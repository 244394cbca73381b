import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { FlagReason } from '#contract/flag-labels.ts';
import { users } from './schema.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true });

// Neither table refers to laps: a verdict outlives the moment in which a retimed lap is written again, and laps may be partitioned.

/** Doubts about laps, and appeals of their drivers. */
export const lapFlags = pgTable(
  'lap_flags',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    trackId: text('track_id').notNull(),
    lapId: uuid('lap_id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Who drove the lap. */
    driverId: uuid('driver_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    reason: text('reason').$type<FlagReason | 'appeal'>().notNull(),
    sentence: text('sentence').notNull(),
    flaggedAt: instant('flagged_at').notNull().defaultNow(),
    /** The decision that closed it; null while it is open. */
    decisionId: uuid('decision_id'),
  },
  (table) => [
    index('lap_flags_lap_index').on(table.lapId),
    index('lap_flags_user_index').on(table.userId, table.flaggedAt),
    index('lap_flags_driver_index').on(table.driverId),
  ],
);

/** Decisions on flagged laps; only ever added to. */
export const lapDecisions = pgTable(
  'lap_decisions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    lapId: uuid('lap_id').notNull(),
    driverId: uuid('driver_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** No reference, so that a decision outlives the account of who took it. */
    decidedBy: uuid('decided_by').notNull(),
    verdict: text('verdict').$type<'keep' | 'reject'>().notNull(),
    reason: text('reason'),
    decidedAt: instant('decided_at').notNull().defaultNow(),
    undoneAt: instant('undone_at'),
  },
  (table) => [
    index('lap_decisions_lap_index').on(table.lapId),
    index('lap_decisions_driver_index').on(table.driverId),
  ],
);
