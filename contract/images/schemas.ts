import { z } from 'zod';
import { userCarIdSchema } from '#contract/ids.ts';
import { endpoint } from '#contract/endpoint.ts';
import { userCarSchema } from '#contract/garage/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import { userSchema } from '#contract/people/schemas.ts';

/** The `uploadURL` that the image was sent to. */
const sentImage = z
  .url()
  .max(LIMITS.urlCharactersMax)
  .meta({
    description: 'The `uploadURL` that the image was sent to.',
    examples: ['https://pitboard.example/api/objects/eyJrZXki'],
  });

const SENT_IMAGE_ERRORS = {
  invalid_input: 'It is no image that is taken, or the address is none of ours.',
  not_allowed: 'The image was sent by somebody else, or the call came from another site.',
  not_found: 'Nothing has arrived at the address, or it was used before.',
  too_large: 'The image is over a limit; the message names it.',
};

/**
 * An image upload has three steps: request a signed URL, PUT the file to it, and say what the image is for. Only the
 * last step reads the file; the server then shows an image that it has encoded itself.
 */
export const imageEndpoints = {
  createUpload: endpoint({
    method: 'POST',
    path: '/api/objects/upload',
    access: 'signed_in',
    limit: 120,
    summary: 'A signed address that takes one image by PUT for a few minutes.',
    response: z.object({
      uploadURL: z.url().meta({ examples: ['https://pitboard.example/api/objects/eyJrZXki'] }),
    }),
    errors: {
      too_many_requests: 'Too many calls from one address, or many images were sent and never used.',
    },
  }),
  receive: endpoint({
    method: 'PUT',
    path: '/api/objects/:token',
    access: 'public',
    limit: 120,
    summary: 'Takes the bytes of one image. The token is the permission; a sign-in is not asked for.',
    params: z.object({ token: z.string().max(LIMITS.urlCharactersMax) }),
    rawBody: { bytesMax: LIMITS.imageBytesMax },
    response: z.object({ received: z.literal(true) }),
    errors: {
      not_found: 'There is no such upload address.',
      not_allowed: 'The upload address has expired, or the call came from another site.',
      conflict: 'The address has taken an image already.',
    },
  }),
  setAvatar: endpoint({
    method: 'PUT',
    path: '/api/user/avatar',
    access: 'signed_in',
    limit: 60,
    summary: "Makes an image that was sent the signed-in user's own picture.",
    body: z.object({ avatarURL: sentImage }),
    response: userSchema,
    errors: SENT_IMAGE_ERRORS,
  }),
  setCarPhoto: endpoint({
    method: 'PUT',
    path: '/api/cars/:id/photo',
    access: 'signed_in',
    limit: 60,
    summary: 'Makes an image that was sent the photo of a car in the own garage.',
    params: z.object({ id: userCarIdSchema }),
    body: z.object({ photoURL: sentImage }),
    response: userCarSchema,
    errors: {
      ...SENT_IMAGE_ERRORS,
      not_allowed:
        'The car is not in your garage, the image was sent by somebody else, or the call came from another site.',
    },
  }),
  deleteAvatar: endpoint({
    method: 'DELETE',
    path: '/api/user/avatar',
    access: 'signed_in',
    summary: "Removes the signed-in user's own picture.",
    response: userSchema,
  }),
  deleteCarPhoto: endpoint({
    method: 'DELETE',
    path: '/api/cars/:id/photo',
    access: 'signed_in',
    summary: 'Removes the photo of a car in the own garage.',
    params: z.object({ id: userCarIdSchema }),
    response: userCarSchema,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/images/:key',
    access: 'public',
    summary: 'Returns a photo or an avatar. The image of a key never changes.',
    params: z.object({ key: z.uuid() }),
    response: 'image/webp',
    errors: { not_found: 'There is no such image.' },
  }),
};
