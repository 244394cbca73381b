import { and, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import type { ApiTokenId, AuthSessionId, InvitationId, PasskeyId, UserId } from '#contract/ids.ts';
import type { EndedWithPassword } from '#contract/sign-in/credential-fields.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { sendIds } from '#server/kernel/database/notifications.ts';
import { endLiveSharing } from '#server/model/live/live-store.ts';
import {
  apiTokens,
  linkedIdentities,
  oneTimeTokens,
  passkeys,
  passwords,
  recoveryCodes,
  signIns,
} from './schema.ts';
import { ENDING_THINGS, type EndingEvent, type EndingThing, findEnding } from './what-ends.ts';

/** The topic of the messages about users who have lost some access, so that open streams look at their sessions. */
export const ACCESS_TOPIC = 'access';

type One = {
  otherSessions?: AuthSessionId;
  apiTokens?: ApiTokenId;
  passkeys?: PasskeyId;
  linksMade?: InvitationId;
};

type Whose = {
  userId: UserId | readonly UserId[];
  /** Holds the hash of the session in which the event happens; without one, all sessions count as others. */
  tokenSha256?: string | null;
  /** Names the one thing that the event is about. */
  one?: One;
  /** Lists the things that the person chose to end. */
  chosen?: readonly EndingThing[];
};

type Account = Omit<Whose, 'userId'> & { userIds: UserId[] };
type End = (tx: Database, account: Account) => Promise<unknown>;

const endLinks =
  (purpose: 'sign-in' | 'reset' | 'confirmation'): End =>
  (tx, { userIds }) =>
    tx
      .delete(oneTimeTokens)
      .where(and(eq(oneTimeTokens.purpose, purpose), inArray(oneTimeTokens.userId, userIds)));

const MADE_LINKS = inArray(oneTimeTokens.purpose, ['invitation', 'reset']);

const END_ALL: Record<EndingThing, End> = {
  // The row remains: it keeps the email address from other accounts until there is a new password.
  password: (tx, { userIds }) =>
    tx.update(passwords).set({ hash: null }).where(inArray(passwords.userId, userIds)),
  passkeys: (tx, { userIds }) => tx.delete(passkeys).where(inArray(passkeys.userId, userIds)),
  recoveryCodes: (tx, { userIds }) => tx.delete(recoveryCodes).where(inArray(recoveryCodes.userId, userIds)),
  linkedIdentities: (tx, { userIds }) =>
    tx.delete(linkedIdentities).where(inArray(linkedIdentities.userId, userIds)),
  apiTokens: (tx, { userIds }) => tx.delete(apiTokens).where(inArray(apiTokens.userId, userIds)),
  signInLinks: endLinks('sign-in'),
  resetLinks: endLinks('reset'),
  confirmationLinks: endLinks('confirmation'),
  liveSharing: (tx, { userIds }) => endLiveSharing(tx, userIds),
  linksMade: (tx, { userIds }) =>
    tx.delete(oneTimeTokens).where(and(inArray(oneTimeTokens.createdBy, userIds), MADE_LINKS)),
  thisSession: async (tx, { userIds, tokenSha256 }) => {
    if (!tokenSha256) return;
    const isThis = eq(signIns.tokenSha256, tokenSha256);
    await tx.delete(signIns).where(and(inArray(signIns.userId, userIds), isThis));
  },
  otherSessions: (tx, { userIds, tokenSha256 }) => {
    const isOther = tokenSha256 ? ne(signIns.tokenSha256, tokenSha256) : undefined;
    return tx.delete(signIns).where(and(inArray(signIns.userId, userIds), isOther));
  },
};

/**
 * Locks users until the end of the transaction, so that no sign-in of theirs starts while something ends, and the other
 * way round. The locks have names of their own and hold no row of `users` (docs/decisions/0023).
 */
export async function lockUsers(tx: Database, userIds: readonly UserId[]): Promise<void> {
  await tx.execute(sql`
    SELECT pg_advisory_xact_lock(hashtextextended('access of ' || id, 0))
    FROM unnest(${sql.param([...new Set(userIds)].toSorted())}::text[]) AS id`);
}

/** Ends what the table of what-ends.ts says. Call it in the transaction of the event, before anything new is inserted. */
export async function endByEvent(
  tx: Database,
  event: EndingEvent,
  { userId, ...rest }: Whose,
): Promise<void> {
  const account = { ...rest, userIds: [userId].flat() };
  // The end of one session needs no lock, which a restore of a backup would not let it have.
  const isMore = ENDING_THINGS.some((thing) => thing !== 'thisSession' && findEnding(event, thing) !== null);
  if (isMore) await lockUsers(tx, account.userIds);
  for (const thing of ENDING_THINGS) {
    const ending = findEnding(event, thing);
    if (ending === 'one') await endOne(tx, thing, account.one);
    else if (ending === 'ends' || (ending === 'asks' && account.chosen?.includes(thing)))
      await END_ALL[thing](tx, account);
  }
  await sendIds(tx, ACCESS_TOPIC, account.userIds);
}

/** Counts what ends with the password and still works, so that the person knows what to make again. */
export async function countEndingWithPassword(tx: Database, userId: UserId): Promise<EndedWithPassword> {
  const now = sql`now()`;
  const { createdBy, usesLeft, expiresAt } = oneTimeTokens;
  return {
    apiTokens: await tx.$count(apiTokens, and(eq(apiTokens.userId, userId), gt(apiTokens.expiresAt, now))),
    recoveryCodes: await tx.$count(recoveryCodes, eq(recoveryCodes.userId, userId)),
    linksMade: await tx.$count(
      oneTimeTokens,
      and(eq(createdBy, userId), MADE_LINKS, gt(usesLeft, 0), gt(expiresAt, now)),
    ),
  };
}

async function endOne(tx: Database, thing: EndingThing, one: One = {}): Promise<void> {
  const { otherSessions, apiTokens: tokens, passkeys: keys, linksMade } = one;
  if (thing === 'otherSessions' && otherSessions)
    await tx.delete(signIns).where(eq(signIns.id, otherSessions));
  else if (thing === 'apiTokens' && tokens) await tx.delete(apiTokens).where(eq(apiTokens.id, tokens));
  else if (thing === 'passkeys' && keys) await tx.delete(passkeys).where(eq(passkeys.id, keys));
  else if (thing === 'linksMade' && linksMade)
    await tx.delete(oneTimeTokens).where(and(eq(oneTimeTokens.id, linksMade), MADE_LINKS));
  else throw new Error(`The event does not say which of ${thing} ends.`);
}
