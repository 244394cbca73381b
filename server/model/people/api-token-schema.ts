import { index, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core';
import type { TokenScope } from '#contract/token-scopes.ts';
import { users } from '#server/kernel/database/schema.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true });

/** What programs of a user sign in with. Only the hash of a token is kept, so that a stolen table opens no door. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenSha256: text('token_sha256').notNull(),
    name: text('name').notNull(),
    ending: text('ending').notNull(),
    scopes: text('scopes').array().$type<TokenScope[]>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [
    unique('api_tokens_sha256_key').on(table.tokenSha256),
    index('api_tokens_user_index').on(table.userId),
  ],
);
