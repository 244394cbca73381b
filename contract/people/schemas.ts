import { z } from 'zod';
import { userIdSchema } from '#contract/ids.ts';
import { endpoint } from '#contract/endpoint.ts';
import { userCarSchema } from '#contract/garage/schemas.ts';
import { formatChoiceFields } from '#contract/formats/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import { INVISIBLE_CHARACTERS, VISIBLE_NAME } from '#contract/names.ts';
import { nullableText } from '#contract/values.ts';
import { isReservedUsername, USERNAME_FORM, USERNAME_RULE } from './labels.ts';
import { roleSchema } from './roles.ts';

/** A name that others see. Characters that control, turn or hide text are refused, because they could imitate another name. */
export const personNameSchema = z
  .string()
  .trim()
  .min(1, 'The name must not be empty.')
  .max(
    LIMITS.displayNameCharactersMax,
    `The name may have ${LIMITS.displayNameCharactersMax} characters at most.`,
  )
  .regex(/[\p{L}\p{N}\p{P}\p{S}]/u, 'The name needs a visible character.')
  .regex(VISIBLE_NAME, INVISIBLE_CHARACTERS);

/** The text after the @, which a driver may choose instead of the part of the e-mail address before the @. */
const usernameSchema = z
  .string()
  .trim()
  .toLowerCase()
  .regex(USERNAME_FORM, USERNAME_RULE)
  .refine((name) => !isReservedUsername(name), 'This username is reserved. Please choose another one.');

const names = {
  firstName: nullableText.meta({ examples: ['Ana'] }),
  lastName: nullableText.meta({ examples: ['Lima'] }),
  displayName: nullableText.meta({ examples: ['Ana Lima'] }),
};

const LINES_PRIVATE =
  'Whether others may not see the lines of the own laps, nor compare with them; a session may say otherwise.';

/** The signed-in user, as only that user sees it. */
export const userSchema = z.object({
  id: userIdSchema,
  ...names,
  email: nullableText.meta({ examples: ['ana@example.org'] }),
  profileImageUrl: nullableText.meta({ examples: ['/api/images/0b6f3c52-7a54-4a5e-8f0e-6b1c2d3e4f50'] }),
  emailUpdates: z.boolean(),
  keepLinesPrivate: z.boolean().meta({ description: LINES_PRIVATE }),
  ...formatChoiceFields,
  isAdmin: z.boolean().meta({ description: 'True for the roles `admin` and `owner`.' }),
  role: roleSchema,
  username: nullableText.meta({
    description: 'Chosen here; null where it follows from the address or the name.',
    examples: ['ana'],
  }),
  deletionDueAt: nullableText.meta({
    description: 'When the account is deleted, unless its owner keeps it; null for all others.',
  }),
});

export type User = z.infer<typeof userSchema>;

/** A driver as every signed-in user sees it, without the e-mail address. */
const publicUserSchema = z.object({
  id: userIdSchema,
  ...names,
  username: nullableText.meta({
    description: 'Chosen by the driver, else the part of the address before the @, else made from the name.',
    examples: ['ana'],
  }),
  profileImageUrl: nullableText.meta({ examples: ['/api/images/0b6f3c52-7a54-4a5e-8f0e-6b1c2d3e4f50'] }),
});

export type PublicUser = z.infer<typeof publicUserSchema>;

const NO_SUCH_DRIVER = { not_found: 'There is no such driver.' };

export const userEndpoints = {
  current: endpoint({
    method: 'GET',
    path: '/api/auth/user',
    access: 'signed_in',
    forLeaving: true,
    summary: 'Returns the signed-in user; 401 for guests.',
    response: userSchema,
  }),
  updatePreferences: endpoint({
    method: 'PATCH',
    path: '/api/auth/user/preferences',
    access: 'signed_in',
    summary:
      'Changes the display name, the username, the e-mail preference, whether the own lines are private, and the forms of units and dates.',
    body: z.object({
      emailUpdates: z.boolean().optional(),
      keepLinesPrivate: z.boolean().optional().meta({ description: LINES_PRIVATE }),
      units: formatChoiceFields.units.optional(),
      dates: formatChoiceFields.dates.optional(),
      username: usernameSchema
        .nullable()
        .optional()
        .meta({
          description: 'Null takes it back: the part of the address before the @ shows again.',
          examples: ['ana'],
        }),
      displayName: personNameSchema
        .nullable()
        .optional()
        .meta({
          description: 'Null takes it back: first and last name show again.',
          examples: ['Ana Lima'],
        }),
    }),
    response: userSchema,
    errors: { conflict: 'Another driver has this name, or one that looks the same.' },
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/users/:idOrName',
    access: 'signed_in',
    summary: "Returns a driver's public profile, by id or by name.",
    params: z.object({ idOrName: z.string().min(1).max(200) }),
    response: publicUserSchema,
    errors: NO_SUCH_DRIVER,
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/users/:idOrName/preview.png',
    access: 'public',
    limit: 120,
    summary:
      "The picture of a link to a driver's profile, 1200 by 630 pixels: the name and the best laps on the boards, which everybody sees there.",
    params: z.object({ idOrName: z.string().min(1).max(200) }),
    response: 'image/png',
    isTagged: true,
    errors: { not_found: 'There is no such driver with a lap on a board.' },
  }),
  cars: endpoint({
    method: 'GET',
    path: '/api/users/:userId/cars',
    access: 'signed_in',
    summary: "A driver's garage.",
    params: z.object({ userId: userIdSchema }),
    response: z.array(userCarSchema),
    errors: NO_SUCH_DRIVER,
  }),
};

export const signInEndpoints = {
  login: endpoint({
    method: 'GET',
    path: '/api/login',
    access: 'public',
    limit: 60,
    summary: 'Starts the sign-in and comes back to `returnTo`, a path on this site.',
    query: z.object({ returnTo: z.string().max(LIMITS.urlCharactersMax).optional() }),
    response: 'redirect',
  }),
  callback: endpoint({
    method: 'GET',
    path: '/api/auth/callback',
    access: 'public',
    limit: 60,
    audit: 'link-provider',
    summary: 'Where the sign-in provider sends the browser back to.',
    response: 'redirect',
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/logout',
    access: 'public',
    forLeaving: true,
    summary: 'Ends the sign-in of this browser.',
    response: z.object({
      signedOut: z.literal(true),
      /** The URL at which the browser also ends the session at the provider; null if there is none to end. */
      continueAt: z.url().nullable(),
    }),
  }),
  provider: endpoint({
    method: 'GET',
    path: '/api/auth/provider',
    access: 'public',
    summary: 'The name of the sign-in provider, and whether it is the local one.',
    response: z.object({ name: z.string(), isLocal: z.boolean() }),
  }),
};
