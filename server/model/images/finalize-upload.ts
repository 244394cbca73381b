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
import { deleteUnnamed } from '#server/kernel/storage/storage-unavailable.ts';
import { encodeImage, type ImageUse } from './encode-image.ts';
import { releaseUpload, takeUpload } from './image-store.ts';
import { imageStorageKey, incomingPrefix, newImageKey } from './image-key.ts';

type ImageServices = Pick<Services, 'database' | 'storage' | 'uploadUrls' | 'incomingFolder'>;

/** Holds the address of an uploaded image, its driver and its use. */
export type SentImage = { address: string; userId: UserId; use: ImageUse };

export const TOO_LARGE_SENTENCE = `The image is too large: it may have at most ${LIMITS.imageBytesMax / (1024 * 1024)} MB.`;

/**
 * Encodes an uploaded image, stores it, and calls `show` with its key; `show` returns the key of the previous image. The upload
 * cannot be used again, unless the failure was temporary. The previous image is removed, and the new one where `show` fails.
 * @throws AppError where the upload is another driver's, has not arrived, is too large or no image; nothing has changed then
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
      if (error instanceof AppError) await deleteUnnamed(storage, imageStorageKey(imageKey));
      throw error;
    });
    await deleteUnnamed(storage, sentKey);
    await deleteImage(storage, keyBefore);
  } catch (error) {
    if (error instanceof AppError) await deleteUnnamed(storage, sentKey);
    else await releaseUpload(database.db, sentKey);
    throw error;
  }
}

/** Removes an image that is no longer shown; the sweep removes it where the storage is unavailable. */
export async function deleteImage(storage: Storage, imageKey: string | null): Promise<void> {
  if (imageKey !== null) await deleteUnnamed(storage, imageStorageKey(imageKey));
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
    // An object storage accepts several uploads while the address is valid; only one of them is used.
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
  // An object storage does not check the size of uploads.
  if (sent.byteCount > LIMITS.imageBytesMax) {
    sent.content.destroy();
    throw new AppError('too_large', TOO_LARGE_SENTENCE);
  }
  await pipeline(sent.content, createWriteStream(path, { flags: 'wx' }));
}

function notThere(): AppError {
  return new AppError('not_found', 'This image has not arrived, or was used before. Please send it again.');
}
