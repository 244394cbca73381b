import type { Services } from '#server/model/services.ts';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { UserId } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { removeUnnamed } from '#server/kernel/storage/storage-unavailable.ts';
import { encodeImage, type ImageUse } from './encode-image.ts';
import { releaseUpload, takeUpload } from './image-store.ts';
import { imageStorageKey, incomingPrefix, newImageKey } from './image-key.ts';

type ImageServices = Pick<Services, 'database' | 'storage' | 'uploadUrls' | 'incomingFolder'>;

/** What a driver sent, and what it is for. */
export type SentImage = { address: string; userId: UserId; use: ImageUse };

export const TOO_LARGE_SENTENCE = `The image is too large: it may have at most ${LIMITS.imageBytesMax / (1024 * 1024)} MB.`;

/**
 * Makes an image of our own from what a driver has sent, and calls `show` with its key, which gives the key of the image that
 * was shown before. What was sent is used up, unless something failed that can be tried again; an image that `show` does
 * not take, and the one before it, are removed.
 * @throws AppError where it is not the driver's, has not arrived, is too large or no image; nothing has changed then
 */
export async function finalizeUpload(
  services: ImageServices,
  { address, userId, use }: SentImage,
  show: (imageKey: string) => Promise<string | null>,
): Promise<void> {
  const { storage, uploadUrls, database } = services;
  const sentKey = uploadUrls.keyOf(address);
  if (sentKey === null) {
    throw new AppError('invalid_input', 'This is not an address that the image could have been sent to.');
  }
  if (!sentKey.startsWith(`${incomingPrefix(userId)}/`)) {
    throw new AppError('not_allowed', 'This image was sent by somebody else.');
  }
  try {
    const imageKey = await storeEncoded(services, sentKey, { use, userId });
    const keyBefore = await show(imageKey).catch(async (error: unknown) => {
      if (error instanceof AppError) await removeUnnamed(storage, imageStorageKey(imageKey));
      throw error;
    });
    await removeUnnamed(storage, sentKey);
    await removeImage(storage, keyBefore);
  } catch (error) {
    if (error instanceof AppError) await removeUnnamed(storage, sentKey);
    else await releaseUpload(database.db, sentKey);
    throw error;
  }
}

/** Removes an image that is no longer shown; where the storage is unavailable it stays until it is swept. */
export async function removeImage(storage: Storage, imageKey: string | null): Promise<void> {
  if (imageKey !== null) await removeUnnamed(storage, imageStorageKey(imageKey));
}

async function storeEncoded(
  services: ImageServices,
  sentKey: string,
  { use, userId }: Pick<SentImage, 'use' | 'userId'>,
): Promise<string> {
  const { storage, incomingFolder, database } = services;
  const path = join(incomingFolder, randomUUID());
  try {
    await fetchSent(storage, sentKey, path);
    // An object storage takes whatever is sent while the address lasts; of all that, one image is used.
    if (!(await takeUpload(database.db, sentKey))) throw notThere();
    const encoded = await encodeImage(path, use, userId);
    await writeFile(path, encoded);
    const imageKey = newImageKey();
    await storage.put(imageStorageKey(imageKey), path);
    return imageKey;
  } finally {
    await rm(path, { force: true });
  }
}

async function fetchSent(storage: Storage, sentKey: string, path: string): Promise<void> {
  const sent = await storage.openRead(sentKey);
  if (sent === null) throw notThere();
  // A storage with addresses of its own takes in whatever is sent there.
  if (sent.byteCount > LIMITS.imageBytesMax) {
    sent.content.destroy();
    throw new AppError('too_large', TOO_LARGE_SENTENCE);
  }
  await pipeline(sent.content, createWriteStream(path, { flags: 'wx' }));
}

function notThere(): AppError {
  return new AppError('not_found', 'This image has not arrived, or was used before. Please send it again.');
}
