import { findErrorCode } from './database-unavailable.ts';

/** SQLSTATE of a transaction that was ended because it and another one waited for each other. */
export const DEADLOCK = '40P01';

/** SQLSTATE of a statement that did not get a lock within `lock_timeout`. */
export const LOCK_TIMEOUT = '55P03';

const ATTEMPTS_MAX = 5;

/** Runs `attempt` again, up to five times in all, as long as it fails with one of these SQLSTATE codes. */
export async function retryOn<Result>(
  codes: readonly string[],
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      const mayRetry = codes.includes(findErrorCode(error) ?? '');
      if (!mayRetry || attempts === ATTEMPTS_MAX) throw error;
    }
  }
}
