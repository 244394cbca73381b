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
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { ApiTokenId, AuthSessionId, InvitationId, PasskeyId, UserId } from '#contract/ids.ts';
import { DATES, UNITS } from '#contract/formats/labels.ts';
import { type Role, ROLES } from '#contract/people/labels.ts';
import type { TokenScope } from '#contract/sign-in/labels.ts';
import { instant, writeAheadPosition } from '#server/kernel/database/columns.ts';

/** Returns the column of a row that belongs to a user and is deleted with the user. */
export const userIdColumn = () =>
  uuid('user_id')
    .$type<UserId>()
    .references(() => users.id, { onDelete: 'cascade' });

/** Holds one row for each account at the sign-in provider, identified by issuer and subject; email addresses and names can change. */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey().$type<UserId>().defaultRandom(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    firstName: text('first_name'),
    lastName: text('last_name'),
    /** Joins the first and last name; null where the provider gives neither. */
    fullName: text('full_name'),
    /** The driver chooses it here; a sign-in never changes it. */
    displayName: text('display_name'),
    /** Holds the text after the @, which the driver chooses here, in lower case; null where it follows from the e-mail address or the name. */
    username: text('username'),
    email: text('email'),
    emailVerified: boolean('email_verified').notNull().default(false),
    /** Holds the key of the image that the driver has uploaded as their avatar. */
    avatarKey: text('avatar_key'),
    emailUpdates: boolean('email_updates').notNull().default(false),
    /** Hides the lines of the driver's laps from others, unless the session overrides it. */
    keepLinesPrivate: boolean('keep_lines_private').notNull().default(false),
    /** The person chooses these forms of pages; null follows the browser. */
    units: text('units', { enum: UNITS }),
    dates: text('dates', { enum: DATES }),
    /** Holds the role granted here; verified email addresses in ADMIN_EMAILS are owners without it. */
    role: text('role', { enum: ROLES }).notNull().default('member'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** They may not sign in since this time; an administrator can let them in again. */
    suspendedAt: instant('suspended_at'),
    /** A job deletes the account from this time on; the driver can take it back until then. Null for all others. */
    deletionDueAt: instant('deletion_due_at'),
  },
  (table) => [
    unique('users_issuer_subject_key').on(table.issuer, table.subject),
    uniqueIndex('users_username_look_key').on(sql`name_look(username)`),
    index('users_deletion_index')
      .on(table.deletionDueAt)
      .where(sql`deletion_due_at is not null`),
    index('users_display_name_index').on(table.displayName),
    index('users_full_name_index').on(table.fullName),
    // The indexes find similar names; a migration creates the function.
    index('users_display_name_look_index').on(sql`name_look(display_name)`),
    index('users_full_name_look_index').on(sql`name_look(full_name)`),
  ],
);

/** Holds one row for each browser that is signed in. Only the hash of its token is stored, so that a stolen table gives no access. */
export const signIns = pgTable(
  'sign_ins',
  {
    tokenSha256: text('token_sha256').primaryKey(),
    /** Identifies the sign-in in the list of devices; gives no access. */
    id: uuid('id').notNull().$type<AuthSessionId>().unique().defaultRandom(),
    userId: userIdColumn().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    /** The time is accurate to ten minutes. */
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
    /** Holds the browser's user agent at the sign-in, truncated. */
    userAgent: text('user_agent'),
  },
  (table) => [
    index('sign_ins_user_index').on(table.userId),
    index('sign_ins_expiry_index').on(table.expiresAt),
  ],
);

/**
 * Holds the position of the write-ahead log after the last change that a driver made. The kernel writes and reads it, to
 * choose the server that answers a read.
 */
export const replayPositions = pgTable('replay_positions', {
  userId: userIdColumn().primaryKey(),
  position: writeAheadPosition('position').notNull(),
});

/** Holds the credentials with which a user signs in to an account of this server. */
export const passwords = pgTable('passwords', {
  userId: userIdColumn().notNull().primaryKey(),
  /** The address is in lower case. The email address of the user may change at their provider; this one does not. */
  email: text('email').notNull().unique(),
  /** Holds an argon2id hash in the PHC format, which contains its own cost; null from the end of a password to the next one. */
  hash: text('hash'),
  changedAt: instant('changed_at').notNull().defaultNow(),
});

export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey().$type<PasskeyId>().defaultRandom(),
    userId: userIdColumn().notNull(),
    /** Holds base64url, as browsers send it. */
    credentialId: text('credential_id').notNull().unique(),
    /** Holds a COSE key in base64url. */
    publicKey: text('public_key').notNull(),
    /** Counts the signatures of the authenticator; always 0 where it does not count. */
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

/**
 * Holds links that work once or a few times, and challenges of passkeys. Only hashes are stored, so that a stolen table
 * gives no access.
 */
export const oneTimeTokens = pgTable(
  'one_time_tokens',
  {
    tokenSha256: text('token_sha256').primaryKey(),
    id: uuid('id').notNull().$type<InvitationId>().unique().defaultRandom(),
    purpose: text('purpose', {
      enum: ['set-up', 'invitation', 'reset', 'sign-in', 'confirmation', 'passkey-sign-in', 'passkey-new'],
    }).notNull(),
    /** Names the user whose password a reset sets, or whose passkey is added. */
    userId: userIdColumn(),
    /** An invitation gives this role to those who accept it. */
    role: text('role').$type<Role>(),
    /** An invitation is for this email address alone, in lower case. */
    email: text('email'),
    /**
     * Is true where the link was sent to `email` alone: a user who opens it has proved that the email address is
     * theirs.
     */
    provesEmail: boolean('proves_email').notNull().default(false),
    usesLeft: integer('uses_left').notNull(),
    /** Is null for the server itself. */
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

/** Links further identities at outside providers to a user, who signs in with any of them. */
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

/**
 * Holds the tokens with which programs of a user sign in. Only the hash of a token is stored, so that a stolen table
 * gives no access.
 */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: uuid('id').primaryKey().$type<ApiTokenId>().defaultRandom(),
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
