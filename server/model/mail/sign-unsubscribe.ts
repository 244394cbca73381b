import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

// Such a link works for as long as the mail is kept, so it is signed rather than stored.

/** The secret part of a link that switches the mails of a user off and does nothing else. */
export function signUnsubscribe(secret: string, userId: string): string {
  return `${userId}.${sign(secret, userId).toString('base64url')}`;
}

/** Whose mails a link switches off; null where we did not sign it. */
export function readUnsubscribe(secret: string, token: string): string | null {
  const [userId = '', signature = ''] = token.split('.');
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(secret, userId);
  if (!z.uuid().safeParse(userId).success || given.length !== expected.length) return null;
  return timingSafeEqual(given, expected) ? userId : null;
}

function sign(secret: string, userId: string): Buffer {
  return createHmac('sha256', secret).update(`unsubscribe ${userId}`).digest();
}
