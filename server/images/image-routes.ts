import type { FastifyInstance } from 'fastify';
import type { UserCar } from '#contract/garage.ts';
import { imageEndpoints } from '#contract/images.ts';
import type { Viewer } from '#contract/permissions.ts';
import type { User } from '#contract/users.ts';
import type { Database, OpenDatabase } from '#server/kernel/database/database.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { AppError } from '#server/kernel/errors.ts';
import { findCarOwner, findUserCar, setPhotoKey } from '#server/garage/garage-store.ts';
import type { Storage, UploadAddresses } from '#server/kernel/storage/storage.ts';
import { removeUnnamed } from '#server/kernel/storage/storage-unavailable.ts';
import { findUser, setAvatarKey } from '#server/users/user-store.ts';
import { adoptImage } from './finalize-upload.ts';
import { imageStorageKey, incomingFolderOf, newIncomingKey } from './image-key.ts';
import { readUploadToken } from './signed-upload-url.ts';
import { receiveObject } from './receive-object.ts';

export type ImageDependencies = {
  database: OpenDatabase;
  storage: Storage;
  addresses: UploadAddresses;
  incomingFolder: string;
  /** Signs the addresses on this server. */
  secret: string;
};

// Long enough for a large photo over a slow line at the track.
const ADDRESS_LASTS_SECONDS = 15 * 60;
const UPLOADS_PER_MINUTE = 120;
const CHANGES_PER_MINUTE = 60;
// What was sent and not used is swept away after an hour; until then one driver must not fill the disk.
const WAITING_MAX = 20;

// An image under a key is never another one.
const CACHE_FOR_EVER = 'public, max-age=31536000, immutable';

export async function mountImageRoutes(app: FastifyInstance, dependencies: ImageDependencies): Promise<void> {
  mountUse(app, dependencies);
  mountRemoving(app, dependencies);
  // Bodies of any type are left unread here, for the route to stream.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    mountReceiving(scope, dependencies);
  });
}

function mountUse(app: FastifyInstance, dependencies: ImageDependencies): void {
  const { database, storage, addresses } = dependencies;
  const { db } = database;
  const changes = { callsPerMinute: CHANGES_PER_MINUTE };

  serve(
    app,
    imageEndpoints.createUpload,
    async ({ viewer }) => {
      await refuseTooMany(storage, incomingFolderOf(viewer.id));
      return { uploadURL: await addresses.sign(newIncomingKey(viewer.id), ADDRESS_LASTS_SECONDS) };
    },
    { callsPerMinute: UPLOADS_PER_MINUTE },
  );

  serve(
    app,
    imageEndpoints.setAvatar,
    async ({ viewer, body }) => {
      const sent = { address: body.avatarURL, userId: viewer.id, use: 'avatar' } as const;
      await adoptImage(dependencies, sent, (key) => setAvatarKey(db, viewer.id, key));
      return await getOwn(db, viewer);
    },
    changes,
  );

  serve(
    app,
    imageEndpoints.setCarPhoto,
    async ({ viewer, params, body }) => {
      await checkOwnCar(db, viewer, params.id);
      const sent = { address: body.photoURL, userId: viewer.id, use: 'photo' } as const;
      await adoptImage(dependencies, sent, (key) => setPhotoKey(db, params.id, key));
      return await getOwnCar(db, viewer, params.id);
    },
    changes,
  );

  serve(app, imageEndpoints.get, async ({ params, reply }) => {
    const image = await storage.openRead(imageStorageKey(params.key));
    if (image === null) throw new AppError('not_found', 'There is no such image.');
    return reply
      .header('cache-control', CACHE_FOR_EVER)
      .header('content-length', image.byteCount)
      .type(imageEndpoints.get.response)
      .send(image.content);
  });
}

function mountRemoving(app: FastifyInstance, { database: { db }, storage }: ImageDependencies): void {
  serve(app, imageEndpoints.removeAvatar, async ({ viewer }) => {
    await removeImage(await setAvatarKey(db, viewer.id, null));
    return await getOwn(db, viewer);
  });

  serve(app, imageEndpoints.removeCarPhoto, async ({ viewer, params }) => {
    await checkOwnCar(db, viewer, params.id);
    await removeImage(await setPhotoKey(db, params.id, null));
    return await getOwnCar(db, viewer, params.id);
  });

  async function removeImage(key: string | null): Promise<void> {
    if (key !== null) await removeUnnamed(storage, imageStorageKey(key));
  }
}

async function getOwn(db: Database, viewer: Viewer): Promise<User> {
  const user = await findUser(db, viewer.id);
  if (!user) throw new AppError('not_signed_in', 'Please sign in again.');
  return { ...user, isAdmin: viewer.isAdmin };
}

async function checkOwnCar(db: Database, viewer: Viewer, userCarId: string): Promise<void> {
  const ownerId = await findCarOwner(db, userCarId);
  if (ownerId === undefined) throw new AppError('not_found', 'There is no such car.');
  if (ownerId !== viewer.id) throw new AppError('not_allowed', 'This car is not in your garage.');
}

async function getOwnCar(db: Database, viewer: Viewer, userCarId: string): Promise<UserCar> {
  const car = await findUserCar(db, viewer.id, userCarId);
  if (!car) throw new AppError('not_found', 'This car has just left the garage.');
  return car;
}

function mountReceiving(app: FastifyInstance, dependencies: ImageDependencies): void {
  const { storage, secret } = dependencies;
  serve(
    app,
    imageEndpoints.receive,
    async ({ params, request }) => {
      const token = storage.uploadAddresses === null ? readUploadToken(params.token, secret) : null;
      if (token === null) throw new AppError('not_found', 'There is no such upload address.');
      if (token.isExpired) {
        throw new AppError('not_allowed', 'This upload address has expired. Please send the image again.');
      }
      await refuseTooMany(storage, token.key.slice(0, token.key.lastIndexOf('/')));
      await receiveObject(dependencies, request, token.key);
      return { received: true as const };
    },
    { callsPerMinute: UPLOADS_PER_MINUTE },
  );
}

async function refuseTooMany(storage: Storage, folder: string): Promise<void> {
  let count = 0;
  for await (const _ of storage.list(folder)) count++;
  if (count < WAITING_MAX) return;
  throw new AppError('too_many_requests', 'You have sent many images without using them. Try again later.');
}
