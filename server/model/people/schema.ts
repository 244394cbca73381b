import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import type { UserId } from '#contract/ids.ts';
import { type Role, ROLES } from '#contract/people/labels.ts';
import type { TokenScope } from '#contract/sign-in/labels.ts';
import { instant, writeAheadPosition } from '#server/kernel/database/columns.ts';

/** Returns the column of a row that belongs to a user and is deleted with the user. */
export const userIdColumn = () =>
  uuid('user_id')
    .$type<UserId>()
    .references(() => users.id, { onDelete: 'cascade' });

/** One account at the sign-in provider, known by issuer and subject; addresses and names can change. */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey().$type<UserId>().defaultRandom(),
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

/** One browser that is signed in. Only the hash of its token is kept, so that a stolen table opens no door. */
export const signIns = pgTable(
  'sign_ins',
  {
    tokenSha256: text('token_sha256').primaryKey(),
    /** Names it in the list of devices; opens nothing. */
    id: uuid('id').notNull().unique().defaultRandom(),
    userId: userIdColumn().notNull(),
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
 * The position of the write-ahead log after the last change that a driver made. The kernel writes and reads it, to choose the
 * server that answers a read.
 */
export const replayPositions = pgTable('replay_positions', {
  userId: userIdColumn().primaryKey(),
  position: writeAheadPosition('position').notNull(),
});

/** With what a user signs in here. */
export const passwords = pgTable('passwords', {
  userId: userIdColumn().notNull().primaryKey(),
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
    userId: userIdColumn().notNull(),
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
  { userId: userIdColumn().notNull(), codeSha256: text('code_sha256').notNull() },
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
    userId: uuid('user_id')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What an invitation makes of those who accept it. */
    role: text('role').$type<Role>(),
    /** The only address that an invitation is for; in lower case. */
    email: text('email'),
    /** The link was sent to `email` alone: who opens it has shown that the address is theirs. */
    provesEmail: boolean('proves_email').notNull().default(false),
    usesLeft: integer('uses_left').notNull(),
    /** Null for the server itself. */
    createdBy: uuid('created_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'cascade' }),
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
    userId: userIdColumn().notNull(),
    linkedAt: instant('linked_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    index('linked_identities_user_index').on(table.userId),
  ],
);

/** What programs of a user sign in with. Only the hash of a token is kept, so that a stolen table opens no door. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userIdColumn().notNull(),
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
