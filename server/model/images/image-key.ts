import { randomUUID } from 'node:crypto';
import type { UserId } from '#contract/ids.ts';

/** The folder of the storage that holds the images that are shown. */
export const IMAGES_PREFIX = 'images';

/** The folder of the storage that holds what browsers have sent and the server has not checked yet. */
export const INCOMING_PREFIX = 'incoming';

/** A random name for an image, which cannot be guessed. */
export function newImageKey(): string {
  return randomUUID();
}

/** Where the image is in the storage. */
export function imageStorageKey(imageKey: string): string {
  return `${IMAGES_PREFIX}/${imageKey.slice(0, 2)}/${imageKey}.webp`;
}

/** Where a driver's next file goes; no other driver can send to it or use what is there. */
export function newIncomingKey(userId: UserId): string {
  return `${incomingPrefix(userId)}/${randomUUID()}`;
}

/** The folder of the storage that holds what a driver has sent. */
export function incomingPrefix(userId: UserId): string {
  return `${INCOMING_PREFIX}/${userId}`;
}
