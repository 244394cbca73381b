import { index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { CarModelId, UserCarId, UserId } from '#contract/ids.ts';
import { instant } from '#server/kernel/database/columns.ts';
import { users, userIdColumn } from '#server/model/people/schema.ts';

export const carModels = pgTable(
  'car_models',
  {
    id: uuid('id').primaryKey().$type<CarModelId>().defaultRandom(),
    make: text('make').notNull(),
    modelFamily: text('model_family').notNull(),
    variant: text('variant').notNull(),
    generation: text('generation').notNull(),
    modelKey: text('model_key').notNull(),
    modelDisplay: text('model_display').notNull(),
    years: text('years'),
    drivetrain: text('drivetrain'),
    raceClass: text('race_class'),
    /** Every name in lower case, once as written and once without punctuation, for the search. */
    searchText: text('search_text').notNull(),
    /** A driver's proposal is `community_submitted` until an administrator approves it. */
    status: text('status', { enum: ['official', 'community_submitted'] })
      .notNull()
      .default('official'),
    /** The driver who proposed the car; null for other cars, and after the account is deleted. */
    proposedBy: uuid('proposed_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
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
    id: uuid('id').primaryKey().$type<UserCarId>().defaultRandom(),
    userId: userIdColumn().notNull(),
    carModelId: uuid('car_model_id')
      .$type<CarModelId>()
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
