import { basename, dirname } from 'node:path/posix';
import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { userIdSchema } from '#contract/ids.ts';
import { imageEndpoints } from '#contract/images/schemas.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found, notFound } from '#server/kernel/http/found.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { isDriver, isImageHidden } from '#server/model/images/image-store.ts';
import { imageStorageKey, incomingPrefix, newIncomingKey } from '#server/model/images/image-key.ts';
import { readUploadToken } from '#server/model/images/signed-upload-url.ts';
import { receiveObject } from './receive-object.ts';

// This is enough time for a large photo over a slow connection at the track.
const ADDRESS_LASTS_SECONDS = 15 * 60;
// Unused images are deleted after an hour; until then one driver must not fill the disk.
const WAITING_MAX = 20;

// The image of a key never changes.
const CACHE_FOR_EVER = 'public, max-age=31536000, immutable';

export async function mountImageRoutes(app: FastifyInstance, services: Services): Promise<void> {
  mountImages(app, services);
  // Fastify leaves the bodies in this scope unread, so that the route streams them.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    mountReceiving(scope, services);
  });
}

function mountImages(app: FastifyInstance, services: Services): void {
  const { storage, uploadUrls, database } = services;

  serve(app, imageEndpoints.createUpload, async ({ viewer }) => {
    await refuseTooMany(storage, incomingPrefix(viewer.id));
    return { uploadURL: await uploadUrls.sign(newIncomingKey(viewer.id), ADDRESS_LASTS_SECONDS) };
  });

  serve(app, imageEndpoints.get, async ({ params, request, reply }) => {
    if (await database.read(request, ({ db }) => isImageHidden(db, params.key)))
      throw notFound(imageEndpoints.get);
    const image = found(await storage.openRead(imageStorageKey(params.key)), imageEndpoints.get);
    return reply
      .header('cache-control', CACHE_FOR_EVER)
      .header('content-length', image.byteCount)
      .type(imageEndpoints.get.response)
      .send(image.content);
  });
}

function mountReceiving(app: FastifyInstance, services: Services): void {
  const { storage, settings, database } = services;
  const countReceiving = countUnderWay();
  serve(app, imageEndpoints.receive, async ({ params, request }) => {
    const token =
      storage.uploadAddresses === null ? readUploadToken(params.token, settings.cookieSecret) : null;
    if (token === null) throw notFound(imageEndpoints.receive);
    if (token.isExpired) {
      throw new AppError('not_allowed', 'This upload address has expired. Please send the image again.');
    }
    const folder = dirname(token.key);
    const driverId = userIdSchema.safeParse(basename(folder)).data;
    if (driverId === undefined || !(await isDriver(database.db, driverId))) {
      request.raw.resume();
      throw notFound(imageEndpoints.receive);
    }
    await countReceiving(folder, async (underWay) => {
      await refuseTooMany(storage, folder, underWay);
      await receiveObject(services, request, token.key);
    });
    return { received: true as const };
  });
}

/** Counts the images of each folder in progress, so that concurrent ones do not exceed the limit together. */
function countUnderWay() {
  const counts = new Map<string, number>();
  const count = (folder: string, step: 1 | -1): number => {
    const underWay = (counts.get(folder) ?? 0) + step;
    if (underWay === 0) counts.delete(folder);
    else counts.set(folder, underWay);
    return underWay;
  };
  return async (folder: string, receive: (before: number) => Promise<void>): Promise<void> => {
    const before = count(folder, 1) - 1;
    try {
      await receive(before);
    } finally {
      count(folder, -1);
    }
  };
}

async function refuseTooMany(storage: Storage, folder: string, underWay = 0): Promise<void> {
  let count = underWay;
  for await (const _ of storage.list(folder)) count++;
  if (count < WAITING_MAX) return;
  throw new AppError('too_many_requests', 'You have sent many images without using them. Try again later.');
}
