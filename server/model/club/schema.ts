import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import type { Registration } from '#contract/sign-in/labels.ts';
import { instant } from '#server/kernel/database/columns.ts';

/** Holds the owner's settings for the whole site: one row after the set-up, none before. */
export const clubSettings = pgTable('club_settings', {
  isOnlyRow: boolean('is_only_row').primaryKey().default(true),
  name: text('name').notNull(),
  timeZone: text('time_zone').notNull(),
  registration: text('registration').$type<Registration>().notNull(),
  /** Switches on boards for laps of simulators. */
  hasSimulatorBoards: boolean('has_simulator_boards').notNull().default(false),
  /** Offers sample lap files to try an upload with. */
  hasSamples: boolean('has_samples').notNull().default(true),
  /** Hides the first steps of a new club from its owners. */
  hidesFirstSteps: boolean('hides_first_steps').notNull().default(false),
  setUpAt: instant('set_up_at').notNull().defaultNow(),
});
