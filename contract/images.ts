import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { userCarSchema } from './garage.ts';
import { LIMITS } from './limits.ts';
import { userSchema } from './users.ts';

/** The `uploadURL` that an image was sent to. */
const sentImage = z.url().max(LIMITS.urlCharactersMax);

/**
 * Images go in three steps: ask for an address, PUT the file to it, then say what the image is for. Only the last step looks
 * into the file; what is shown afterwards is an image of our own making.
 */
export const imageEndpoints = {
  createUpload: endpoint({
    method: 'POST',
    path: '/api/objects/upload',
    access: 'signed_in',
    summary: 'A signed address that takes one image by PUT for a few minutes.',
    response: z.object({ uploadURL: z.url() }),
  }),
  receive: endpoint({
    method: 'PUT',
    path: '/api/objects/:token',
    access: 'public',
    summary: 'Takes the bytes of one image. The token is the permission; a sign-in is not asked for.',
    params: z.object({ token: z.string().max(LIMITS.urlCharactersMax) }),
    rawBody: { bytesMax: LIMITS.imageBytesMax },
    response: z.object({ received: z.literal(true) }),
  }),
  setAvatar: endpoint({
    method: 'PUT',
    path: '/api/user/avatar',
    access: 'signed_in',
    summary: "Makes an image that was sent the signed-in user's own picture.",
    body: z.object({ avatarURL: sentImage }),
    response: userSchema,
  }),
  setCarPhoto: endpoint({
    method: 'PUT',
    path: '/api/cars/:id/photo',
    access: 'signed_in',
    summary: 'Makes an image that was sent the photo of a car in the own garage.',
    params: z.object({ id: z.uuid() }),
    body: z.object({ photoURL: sentImage }),
    response: userCarSchema,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/images/:key',
    access: 'public',
    summary: 'A photo or an avatar. What is under a key never changes.',
    params: z.object({ key: z.uuid() }),
    response: 'image/webp',
  }),
};
