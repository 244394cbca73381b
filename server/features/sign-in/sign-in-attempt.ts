import { z } from 'zod';

/** Carries a sign-in attempt from its start to the return from the provider, signed. */
export const ATTEMPT_COOKIE = 'pitboard_sign_in_attempt';

/** Enough to look up a password and a second factor. */
export const ATTEMPT_LASTS_MS = 15 * 60 * 1000;

const attemptSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
  startedAtMs: z.number(),
  /** The user who links the identity to their account; without it, the identity signs in. */
  linkTo: z.uuid().optional(),
});

/** What the browser's return has to fit to. */
export type SignInAttempt = z.infer<typeof attemptSchema>;

/** Reads the content of the cookie, after its signature was checked; null where it is no attempt or an old one. */
export function readAttempt(text: string | null | undefined, nowMs: number): SignInAttempt | null {
  if (!text) return null;
  const attempt = attemptSchema.parse(JSON.parse(text)); // ours: it was signed
  return nowMs - attempt.startedAtMs <= ATTEMPT_LASTS_MS ? attempt : null;
}
