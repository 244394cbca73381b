import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { z } from 'zod';
import type { UserId } from '#contract/ids.ts';
import type { newPasskeySchema, passkeyAssertionSchema } from '#contract/sign-in/credential-fields.ts';
import { PASSKEYS_MAX } from '#contract/sign-in/labels.ts';
import { recordSignInChange } from '#server/model/people/record-sign-in-change.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  findPasskey,
  insertPasskey,
  listPasskeys,
  type Passkey,
  updatePasskeyUse,
} from '#server/model/people/credential-store.ts';
import { insertOneTimeToken, redeemOneTimeToken } from '#server/model/people/one-time-token-store.ts';

// This is enough time to find the phone that holds the passkey.
const CHALLENGE_LASTS_MS = 5 * 60_000;

/** Returns the host name and the origin to which the passkeys of this site are bound. */
function site(publicUrl: string) {
  const { hostname, origin } = new URL(publicUrl);
  return { rpID: hostname, origin };
}

/** Makes a challenge for any holder of a passkey; it names no account. */
export async function challengeToSignIn(db: Database, publicUrl: string) {
  const options = await generateAuthenticationOptions({
    rpID: site(publicUrl).rpID,
    userVerification: 'required',
    timeout: CHALLENGE_LASTS_MS,
  });
  await keepChallenge(db, 'passkey-sign-in', options.challenge, null);
  return options;
}

/** Returns the error for a passkey that opens no account. */
export function refusePasskey(): AppError {
  return new AppError('not_signed_in', 'This passkey does not open an account here. Sign in another way.');
}

/**
 * Finds the user of the passkey that signed a challenge of this server.
 * @throws AppError `not_signed_in`
 */
export async function verifyPasskey(
  db: Database,
  publicUrl: string,
  credential: z.output<typeof passkeyAssertionSchema>,
): Promise<UserId> {
  const passkey = await findPasskey(db, credential.id);
  const { rpID, origin } = site(publicUrl);
  const verified =
    passkey &&
    (await verifyChallenge(
      async (challenge) => (await redeemOneTimeToken(db, 'passkey-sign-in', challenge)) !== undefined,
      (expectedChallenge) =>
        verifyAuthenticationResponse({
          response: { ...credential, response: withoutUndefined(credential.response) },
          expectedChallenge,
          expectedOrigin: origin,
          expectedRPID: rpID,
          requireUserVerification: true,
          credential: toCredential(passkey),
        }),
    ));
  if (!passkey || !verified?.verified) throw refusePasskey();
  await updatePasskeyUse(db, passkey.id, verified.authenticationInfo.newCounter);
  return passkey.userId;
}

/** Makes a challenge for a new passkey of a user. */
export async function challengeNewPasskey(
  db: Database,
  publicUrl: string,
  user: { id: UserId; userName: string; clubName: string },
) {
  const known = await listPasskeys(db, user.id);
  if (known.length >= PASSKEYS_MAX)
    throw new AppError(
      'conflict',
      `You have ${PASSKEYS_MAX} passkeys. Remove one that you do not use first.`,
    );
  const options = await generateRegistrationOptions({
    rpName: user.clubName,
    rpID: site(publicUrl).rpID,
    userID: Buffer.from(user.id),
    userName: user.userName,
    attestationType: 'none',
    timeout: CHALLENGE_LASTS_MS,
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await keepChallenge(db, 'passkey-new', options.challenge, user.id);
  return options;
}

// WebAuthn allows 1,023 bytes; the index of the database holds little more.
const CREDENTIAL_ID_CHARACTERS_MAX = 1_366;

/**
 * Adds the passkey that an authenticator made for a challenge of this user.
 * @throws AppError
 */
export async function addPasskey(
  db: Database,
  publicUrl: string,
  {
    userId,
    name,
    credential,
    hold,
  }: {
    userId: UserId;
    name: string;
    credential: z.output<typeof newPasskeySchema>;
    /** Holds the auth session that adds the passkey. */
    hold: (tx: Database) => Promise<void>;
  },
): Promise<void> {
  const { rpID, origin } = site(publicUrl);
  const verified = await verifyChallenge(
    async (challenge) => (await redeemOneTimeToken(db, 'passkey-new', challenge))?.userId === userId,
    (expectedChallenge) =>
      verifyRegistrationResponse({
        response: credential,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
      }),
  );
  if (!verified?.verified)
    throw new AppError(
      'invalid_input',
      'This passkey was not made for this account or has expired. Try again.',
    );
  const { credential: made } = verified.registrationInfo;
  if (made.id.length > CREDENTIAL_ID_CHARACTERS_MAX)
    throw new AppError('invalid_input', 'The id of this passkey is too long.');
  const publicKey = Buffer.from(made.publicKey).toString('base64url');
  const passkey = { userId, name, credentialId: made.id, publicKey, counter: made.counter };
  await db.transaction(async (tx) => {
    await hold(tx);
    if (!(await insertPasskey(tx, passkey)))
      throw new AppError('conflict', 'This passkey is in use already.');
    await recordSignInChange(tx, userId, 'add-passkey');
  });
}

type CheckChallenge = (challenge: string) => Promise<boolean>;

/**
 * Verifies a response; null where the library refuses it, for which it throws errors of any kind.
 * @throws the error of `redeem`, since an outage of the database is no refusal
 */
async function verifyChallenge<Verified>(
  redeem: CheckChallenge,
  verify: (expectedChallenge: CheckChallenge) => Promise<Verified>,
): Promise<Verified | null> {
  const redeemed: Promise<boolean>[] = [];
  try {
    return await verify((challenge) => {
      const answer = redeem(challenge);
      redeemed.push(answer);
      return answer;
    });
  } catch {
    await Promise.all(redeemed);
    return null;
  }
}

/** Stores the challenge as a one-time token: its signed return uses it up. */
async function keepChallenge(
  db: Database,
  purpose: 'passkey-sign-in' | 'passkey-new',
  challenge: string,
  userId: UserId | null,
): Promise<void> {
  await insertOneTimeToken(db, { purpose, token: challenge, userId, lastsMs: CHALLENGE_LASTS_MS });
}

function toCredential({ credentialId, publicKey, counter }: Passkey) {
  return { id: credentialId, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter };
}

function withoutUndefined<T extends { userHandle?: string | undefined }>({ userHandle, ...rest }: T) {
  return { ...rest, ...(userHandle !== undefined && { userHandle }) };
}
