import type { Answer } from '#web/api/call-api.ts';

/** Says what has ended with a password that a link or a recovery code has replaced, and what still opens the account. */
export type Replaced = Pick<Answer<'POST /api/auth/reset'>, 'ended' | 'kept'>;

/** Returns the path of the page that tells it and asks about the rest; undefined where there was nothing else. */
export function findReviewPath(replaced: Replaced | null): string | undefined {
  if (replaced === null) return undefined;
  const things = [...Object.values(replaced.ended), ...Object.values(replaced.kept)];
  return things.every((count) => count === 0) ? undefined : '/profile/edit/sign-in?review';
}
