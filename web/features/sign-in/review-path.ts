import type { Answer } from '#web/api/call-api.ts';

/** Counts what still opens an account after a link or a recovery code has set its password. */
export type Kept = Answer<'POST /api/auth/reset'>['kept'];

/** Returns the path of the page that asks about what still opens the account; undefined where nothing does. */
export function findReviewPath(kept: Kept | null): string | undefined {
  if (kept === null || kept.passkeys + kept.linkedIdentities === 0) return undefined;
  return '/profile/edit?review=sign-in';
}
