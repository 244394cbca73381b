import { createHmac, timingSafeEqual } from 'node:crypto';
import { type UserId, userIdSchema } from '#contract/ids.ts';

// The link works for as long as the reader keeps the mail, so it is signed and not stored.

/** Signs the token of a link that only switches the mails of a user off. */
export function signUnsubscribe(secret: string, userId: UserId): string {
  return `${userId}.${sign(secret, userId).toString('base64url')}`;
}

/** Returns the user whose mails a link switches off; null where the signature is wrong. */
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
