import { createHmac, timingSafeEqual } from 'node:crypto';
import { type UserId, userIdSchema } from '#contract/ids.ts';

// Such a link works for as long as the mail is kept, so it is signed rather than stored.

/** The secret part of a link that switches the mails of a user off and does nothing else. */
export function signUnsubscribe(secret: string, userId: UserId): string {
  return `${userId}.${sign(secret, userId).toString('base64url')}`;
}

/** Whose mails a link switches off; null where we did not sign it. */
export function readUnsubscribe(secret: string, token: string): UserId | null {
  const [id, signature = ''] = token.split('.');
  const userId = userIdSchema.safeParse(id).data;
  if (userId === undefined) return null;
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(secret, userId);
  if (given.length !== expected.length) return null;
  return timingSafeEqual(given, expected) ? userId : null;
}

function sign(secret: string, userId: UserId): Buffer {
  return createHmac('sha256', secret).update(`unsubscribe ${userId}`).digest();
}
