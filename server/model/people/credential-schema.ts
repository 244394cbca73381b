import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Role } from '#contract/permissions.ts';
import type { Registration } from '#contract/registration.ts';
import { users } from '#server/kernel/database/schema.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true });
const userId = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });

/** With what a user signs in here. */
export const passwords = pgTable('passwords', {
  userId: userId().primaryKey(),
  /** In lower case. The address of the user may change at their provider; this one does not. */
  email: text('email').notNull().unique(),
  /** argon2id, in the PHC format, which names its own cost. */
  hash: text('hash').notNull(),
  changedAt: instant('changed_at').notNull().defaultNow(),
});

export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    /** Base64url, as browsers say it. */
    credentialId: text('credential_id').notNull().unique(),
    /** COSE, in base64url. */
    publicKey: text('public_key').notNull(),
    /** How often the authenticator has signed; always 0 where it does not count. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    name: text('name').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [index('passkeys_user_index').on(table.userId)],
);

export const recoveryCodes = pgTable(
  'recovery_codes',
  { userId: userId(), codeSha256: text('code_sha256').notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.codeSha256] })],
);

/** Links that work once, or a few times, and challenges of passkeys: by their hash, so that a stolen table opens nothing. */
export const oneTimeTokens = pgTable(
  'one_time_tokens',
  {
    tokenSha256: text('token_sha256').primaryKey(),
    id: uuid('id').notNull().unique().defaultRandom(),
    purpose: text('purpose', {
      enum: ['set-up', 'invitation', 'reset', 'sign-in', 'confirmation', 'passkey-sign-in', 'passkey-new'],
    }).notNull(),
    /** Whose password a reset sets, or whose passkey is added. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** What an invitation makes of those who accept it. */
    role: text('role').$type<Role>(),
    /** The only address that an invitation is for; in lower case. */
    email: text('email'),
    /** The link was sent to `email` alone: who opens it has shown that the address is theirs. */
    provesEmail: boolean('proves_email').notNull().default(false),
    usesLeft: integer('uses_left').notNull(),
    /** Null for the server itself. */
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    index('one_time_tokens_purpose_index').on(table.purpose, table.expiresAt),
    index('one_time_tokens_user_index').on(table.userId),
    index('one_time_tokens_created_by_index').on(table.createdBy),
  ],
);

/** Further identities at outside providers that sign the same user in. */
export const linkedIdentities = pgTable(
  'linked_identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: userId(),
    linkedAt: instant('linked_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    index('linked_identities_user_index').on(table.userId),
  ],
);

/** What the owner has chosen for the whole site: one row, once the set-up is over. */
export const clubSettings = pgTable('club_settings', {
  isOnlyRow: boolean('is_only_row').primaryKey().default(true),
  name: text('name').notNull(),
  timeZone: text('time_zone').notNull(),
  registration: text('registration').$type<Registration>().notNull(),
  setUpAt: instant('set_up_at').notNull().defaultNow(),
});
