import { type SQL, sql } from 'drizzle-orm';
import type { UserId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Identity } from './identity.ts';
import { users } from './schema.ts';

// Two drivers whose names look the same cannot be distinguished on a board, whatever way the names came in.

const TAKEN = 'Another driver has this name, or one that looks the same.';

const readLook = (name: string): SQL => sql`name_look(${name})`;

/** Makes drivers who choose names of one look at once wait for each other, until the end of the transaction. */
async function lockLook(tx: Database, look: SQL): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${look}))`);
}

async function isAnyUser(tx: Database, condition: SQL): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`SELECT FROM ${users} WHERE ${condition} LIMIT 1`);
  return (rowCount ?? 0) > 0;
}

const isOther = (userId: UserId | null): SQL => (userId === null ? sql`TRUE` : sql`users.id <> ${userId}`);

/**
 * Checks that no other driver has a name that is hard to distinguish. The full name of the driver is always accepted.
 * @throws AppError `conflict`
 */
export async function checkDisplayNameIsFree(tx: Database, userId: UserId, name: string): Promise<void> {
  const look = readLook(name);
  await lockLook(tx, look);
  const isLikeOwn = sql`EXISTS (SELECT FROM users AS own WHERE own.id = ${userId} AND name_look(own.full_name) = ${look})`;
  const isTaken = sql`${isOther(userId)} AND (name_look(users.display_name) = ${look} OR name_look(users.full_name) = ${look} AND NOT ${isLikeOwn})`;
  if (!(await isAnyUser(tx, isTaken))) return;
  const sentence = `${TAKEN} Please choose another one.`;
  throw new AppError('conflict', sentence, { fields: { displayName: sentence } });
}

/**
 * Checks that a new account gets a name that no other driver has. Call it in the transaction that inserts the account.
 * @throws AppError `conflict`
 */
export async function checkFullNameIsFree(tx: Database, fullName: string): Promise<void> {
  if (!(await isFullNameTaken(tx, null, fullName))) return;
  const sentence = `${TAKEN} Add a middle name, an initial or a number.`;
  throw new AppError('conflict', sentence, { fields: { lastName: sentence } });
}

async function isFullNameTaken(tx: Database, userId: UserId | null, fullName: string): Promise<boolean> {
  const look = readLook(fullName);
  await lockLook(tx, look);
  return await isAnyUser(
    tx,
    sql`${isOther(userId)} AND (name_look(users.display_name) = ${look} OR name_look(users.full_name) = ${look})`,
  );
}

type Names = Pick<Identity, 'firstName' | 'lastName' | 'fullName'>;

/** Adds the first free number from 2 on to a name that a provider gives, where another driver has that name. */
export async function makeNameFree<Given extends Names>(
  tx: Database,
  userId: UserId | null,
  given: Given,
): Promise<Given> {
  const { fullName, firstName, lastName } = given;
  if (fullName === null) return given;
  let number = 1;
  const addNumber = (name: string | null) => (number === 1 ? name : `${name} ${number}`);
  const isTaken = async () => await isFullNameTaken(tx, userId, addNumber(fullName) ?? fullName);
  while (await isTaken()) number += 1;
  const names = lastName === null ? { firstName: addNumber(firstName) } : { lastName: addNumber(lastName) };
  return { ...given, ...names, fullName: addNumber(fullName) };
}

const SEPARATORS = '[._-]';
const withoutSeparators = (text: SQL): SQL => sql`regexp_replace(${text}, ${SEPARATORS}, '', 'g')`;

/**
 * Checks that no other driver has a username or a name that is hard to distinguish from a chosen username.
 * @throws AppError `conflict`
 */
export async function checkUsernameIsFree(tx: Database, userId: UserId, username: string): Promise<void> {
  const look = sql`name_look(${withoutSeparators(sql`${username}::text`)})`;
  await lockLook(tx, sql`'username ' || ${look}`);
  const others = [
    withoutSeparators(sql`users.username`),
    withoutSeparators(sql`split_part(users.email, '@', 1)`),
    withoutSeparators(sql`users.display_name`),
    withoutSeparators(sql`users.full_name`),
  ].map((name) => sql`name_look(${name})`);
  if (!(await isAnyUser(tx, sql`${isOther(userId)} AND ${look} IN (${sql.join(others, sql`, `)})`))) return;
  const sentence = 'Another driver has this username, or one that looks the same. Please choose another one.';
  throw new AppError('conflict', sentence, { fields: { username: sentence } });
}
