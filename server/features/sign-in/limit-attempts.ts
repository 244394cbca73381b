import { setTimeout as sleep } from 'node:timers/promises';
import { hashToken } from '#server/model/people/auth-cookie.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { listCountedNetworks } from '#server/kernel/rate-limits/address-networks.ts';
import { countCall, deleteCallCount } from '#server/kernel/rate-limits/call-count-store.ts';
import { HOUR_MS } from '#engine/durations.ts';

const WINDOW_MS = 15 * 60_000;

// One device, or one IP address, tries an account 40 times an hour.
const ATTEMPTS = 10;
// A whole club may be behind one IP address.
const ATTEMPTS_OF_ADDRESS = 100;
const DELAY_STEP_MS = 250;
const DELAY_MAX_MS = 5_000;

export type Attempt = {
  email: string;
  address: string;
  /** Names a device that has signed in to this account before; null for strangers. */
  device: string | null;
};

/**
 * Counts an attempt to sign in with a secret that can be guessed. It counts before the secret is checked, so concurrent
 * attempts gain nothing, and it counts unknown accounts as well. A known device has a count of its own. Strangers at many
 * IP addresses are slowed down and not refused, so they cannot lock the account.
 * @throws AppError `too_many_requests`
 */
export async function countAttempt({ pool }: OpenDatabase, attempt: Attempt): Promise<void> {
  const { calls } = await countCall(pool, ownKey(attempt), WINDOW_MS);
  if (calls > ATTEMPTS) refuse();
  if (attempt.device !== null) return;
  const { address } = attempt;
  if (await isNetworkOver(pool, 'attempts', { address, max: ATTEMPTS_OF_ADDRESS, windowMs: WINDOW_MS }))
    refuse();
  const ofStrangers = await countCall(pool, strangersKey(attempt), WINDOW_MS);
  await sleep(findDelayMs(ofStrangers.calls));
}

/** Returns the delay of an attempt of strangers on an account, by the number of such attempts in the current window. */
export function findDelayMs(attempts: number): number {
  return Math.max(0, Math.min(DELAY_MAX_MS, DELAY_STEP_MS * (attempts - ATTEMPTS)));
}

/**
 * Counts an attempt of a signed-in user to enter the current password, for this session alone.
 * @throws AppError `too_many_requests`
 */
export async function countAttemptOfSession({ pool }: OpenDatabase, sessionId: string): Promise<void> {
  const { calls } = await countCall(pool, sessionKey(sessionId), WINDOW_MS);
  if (calls > ATTEMPTS) refuse();
}

function refuse(): never {
  throw new AppError(
    'too_many_requests',
    'Too many attempts. Wait 15 minutes, use a passkey, or ask an administrator for a link.',
  );
}

// A driver and those beside them in the paddock fit in; a script that floods the list of people does not.
const REGISTRATIONS_OF_ADDRESS = 10;

/** Counts an attempt to make an account without an invitation. @throws AppError `too_many_requests` */
export async function countRegistration({ pool }: OpenDatabase, address: string): Promise<void> {
  const limit = { address, max: REGISTRATIONS_OF_ADDRESS, windowMs: HOUR_MS };
  if (!(await isNetworkOver(pool, 'registrations', limit))) return;
  throw new AppError('too_many_requests', 'Too many new accounts from your network. Try again in an hour.');
}

/** Counts a call for each network of an address; returns true where one of them has made too many. */
async function isNetworkOver(
  pool: OpenDatabase['pool'],
  counted: 'attempts' | 'registrations',
  { address, max, windowMs }: { address: string; max: number; windowMs: number },
): Promise<boolean> {
  let isOver = false;
  for (const { name, factor } of listCountedNetworks(address)) {
    const { calls } = await countCall(pool, `${counted} from ${name}`, windowMs);
    if (calls > factor * max) isOver = true;
  }
  return isOver;
}

/** Deletes the counts after a success, so that the next wrong attempt is the first again. */
export async function deleteAttempts({ pool }: OpenDatabase, attempt: Attempt): Promise<void> {
  await deleteCallCount(pool, ownKey(attempt));
  await deleteCallCount(pool, strangersKey(attempt));
}

export async function deleteAttemptsOfSession({ pool }: OpenDatabase, sessionId: string): Promise<void> {
  await deleteCallCount(pool, sessionKey(sessionId));
}

// Hashes the e-mail address, so that the table of counts does not store it.
function ownKey({ email, address, device }: Attempt): string {
  const who = device === null ? `from ${listCountedNetworks(address)[0].name}` : `on ${hashToken(device)}`;
  return `attempts for ${hashToken(email)} ${who}`;
}

function strangersKey({ email }: Attempt): string {
  return `attempts for ${hashToken(email)}`;
}

function sessionKey(sessionId: string): string {
  return `attempts in session ${sessionId}`;
}
