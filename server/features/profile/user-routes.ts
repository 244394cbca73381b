import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { imageEndpoints } from '#contract/images/schemas.ts';
import type { Viewer } from '#contract/people/labels.ts';
import { type User, userEndpoints } from '#contract/people/schemas.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import { sendsMail } from '#server/model/mail/mail-server.ts';
import { addConfirmation } from '#server/model/mail/send-mail.ts';
import { AppError } from '#server/kernel/errors.ts';
import { listUserCars } from '#server/model/cars/garage-store.ts';
import { finalizeUpload, deleteImage } from '#server/model/images/finalize-upload.ts';
import { checkDriverExists } from '#server/model/people/driver-store.ts';
import {
  findPublicUserByIdOrName,
  findUser,
  setAvatarKey,
  updatePreferences,
} from '#server/model/people/user-store.ts';

export function mountUserRoutes(app: FastifyInstance, services: Services): void {
  const { database, storage } = services;
  const { db } = database;

  serve(app, userEndpoints.current, ({ viewer }) => getOwn(viewer));

  serve(app, userEndpoints.updatePreferences, async ({ viewer, body }) => {
    await updatePreferences(db, viewer.id, body);
    const user = await getOwn(viewer);
    if (body.emailUpdates && (await sendsMail(db, services.settings)))
      await addConfirmation(database, viewer.id);
    return user;
  });

  serve(app, userEndpoints.get, async ({ params: { idOrName }, request }) => {
    const user = await database.read(request, ({ db }) => findPublicUserByIdOrName(db, idOrName));
    return found(user, userEndpoints.get);
  });

  serve(app, userEndpoints.cars, ({ params, request }) =>
    database.read(request, async ({ db }) => {
      await checkDriverExists(db, params.userId);
      return await listUserCars(db, params.userId);
    }),
  );

  serve(app, imageEndpoints.setAvatar, async ({ viewer, body }) => {
    const sent = { address: body.avatarURL, userId: viewer.id, use: 'avatar' } as const;
    await finalizeUpload(services, sent, (key) => setAvatarKey(db, viewer.id, key));
    return await getOwn(viewer);
  });

  serve(app, imageEndpoints.deleteAvatar, async ({ viewer }) => {
    await deleteImage(storage, await setAvatarKey(db, viewer.id, null));
    return await getOwn(viewer);
  });

  async function getOwn({ id, role, isAdmin }: Viewer): Promise<User> {
    const user = await findUser(db, id);
    if (!user) throw new AppError('not_signed_in', 'Please sign in again.');
    return { ...user, role, isAdmin, deletionDueAt: user.deletionDueAt?.toISOString() ?? null };
  }
}
