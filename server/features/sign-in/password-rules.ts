import { AppError } from '#server/kernel/errors.ts';
import { startWorkerPool, type WorkerPool } from '#server/kernel/workers/worker-pool.ts';
import type * as passwordWorker from './password-worker.ts';

/**
 * An attacker with ten attempts in a quarter of an hour needs centuries for this many guesses; one who stole the hashes needs
 * months.
 */
const GUESSES_MIN = 1e9;

// The slowest rating takes 60 ms on a free core; the limit allows for the start of the thread on a slow machine.
const LIMITS = { timeLimitMs: 5_000, heapMegabytesMax: 128, threadsMax: 1 };

// The thread starts with the first password, and ends when none comes for a minute.
let pool: WorkerPool<typeof passwordWorker> | null = null;

/**
 * Finds the reason to refuse a password, as a sentence; null for a good one. A bad one has leaked, repeats or continues
 * something, or contains facts about its owner or the site, such as the e-mail address, which `personal` lists. The contract
 * checks the length. A password that cannot be rated in time is not refused.
 */
export async function findPasswordProblem(
  password: string,
  personal: readonly string[],
): Promise<string | null> {
  pool ??= startWorkerPool<typeof passwordWorker>('features/sign-in/password-worker', 'ratePassword', LIMITS);
  const guesses = await pool.run('ratePassword', { password, personal }).catch((error: unknown) => {
    if (error instanceof AppError) return Infinity;
    throw error;
  });
  return guesses < GUESSES_MIN
    ? 'This password is easy to guess: it is on lists of leaked passwords, or close to one. Choose another, such as four words that do not belong together.'
    : null;
}
