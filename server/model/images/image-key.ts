import { randomUUID } from 'node:crypto';
import type { UserId } from '#contract/ids.ts';

/** The folder of the storage for the images that pages show. */
export const IMAGES_PREFIX = 'images';

/** The folder of the storage for uploads that the server has not checked yet. */
export const INCOMING_PREFIX = 'incoming';

/** Makes a random key that cannot be guessed. */
export function newImageKey(): string {
  return randomUUID();
}

export function imageStorageKey(imageKey: string): string {
  return `${IMAGES_PREFIX}/${imageKey.slice(0, 2)}/${imageKey}.webp`;
}

/** Makes the storage key of a driver's next upload; no other driver can write or use it. */
export function newIncomingKey(userId: UserId): string {
  return `${incomingPrefix(userId)}/${randomUUID()}`;
}

export function incomingPrefix(userId: UserId): string {
  return `${INCOMING_PREFIX}/${userId}`;
}
