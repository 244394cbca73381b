import { hashToken } from '#server/model/people/auth-cookie.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { listCountedNetworks } from '#server/kernel/rate-limits/address-networks.ts';
import { countCall, deleteCallCount } from '#server/kernel/rate-limits/call-count-store.ts';
import { HOUR_MS } from '#server/kernel/time.ts';

const WINDOW_MS = 15 * 60_000;

// An account allows 40 attempts an hour; ASVS 2.2.1 requires less than 100. A whole club may be behind one IP address.
const ATTEMPTS_OF_ACCOUNT = 10;
const ATTEMPTS_OF_ADDRESS = 100;

/**
 * Counts an attempt to sign in with a secret that can be guessed. It counts before the secret is checked, so concurrent
 * attempts gain nothing, and it counts unknown accounts as well.
 * @throws AppError `too_many_requests`
 */
export async function countAttempt({ pool }: OpenDatabase, email: string, address: string): Promise<void> {
  const isAddressOver = await isNetworkOver(pool, 'attempts', {
    address,
    max: ATTEMPTS_OF_ADDRESS,
    windowMs: WINDOW_MS,
  });
  const ofAccount = await countCall(pool, accountKey(email), WINDOW_MS);
  if (ofAccount.calls <= ATTEMPTS_OF_ACCOUNT && !isAddressOver) return;
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

/** Deletes the count after a success, so that the next wrong attempt is the first again. */
export async function deleteAttempts({ pool }: OpenDatabase, email: string): Promise<void> {
  await deleteCallCount(pool, accountKey(email));
}

// Hashes the e-mail address, so that the table of counts does not store it.
function accountKey(email: string): string {
  return `attempts for ${hashToken(email)}`;
}
