import { z } from 'zod';
import { parseJson } from '#server/kernel/parse-json.ts';

/** The signed cookie carries a sign-in attempt from its start to the return from the provider. */
export const ATTEMPT_COOKIE = 'pitboard_sign_in_attempt';

/** This is enough time to look up a password and a second factor. */
export const ATTEMPT_LASTS_MS = 15 * 60 * 1000;

const attemptSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
  startedAtMs: z.number(),
  /** The user who links the identity to their account; without one, the identity signs in. */
  linkTo: z.uuid().optional(),
});

/** The browser's return must match the attempt. */
export type SignInAttempt = z.infer<typeof attemptSchema>;

/** Reads the content of the cookie, whose signature the caller has checked; null where it is no attempt or has expired. */
export function readAttempt(text: string | null | undefined, nowMs: number): SignInAttempt | null {
  if (!text) return null;
  // Another cookie of this server has such a signature too.
  const attempt = attemptSchema.safeParse(parseJson(text)).data;
  return attempt && nowMs - attempt.startedAtMs <= ATTEMPT_LASTS_MS ? attempt : null;
}
