import { z } from 'zod';
import { personNameSchema } from '#contract/people/schemas.ts';
import { EMAIL_CHARACTERS_MAX, PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from './labels.ts';

/** An e-mail address, in lower case. */
export const emailSchema = z
  .email('Enter an e-mail address, such as ana@example.org.')
  .max(EMAIL_CHARACTERS_MAX)
  .toLowerCase()
  .meta({ examples: ['ana@example.org'] });

/** A password at a sign-in: an old one may be shorter than the current rules require. */
export const givenPassword = z
  .string()
  .min(1, 'Enter your password.')
  .max(PASSWORD_CHARACTERS_MAX)
  .meta({ examples: ['five quick laps at Spa'] });

/** A new password; the server also refuses passwords that are easy to guess. */
export const newPassword = z
  .string()
  .min(
    PASSWORD_CHARACTERS_MIN,
    `Use at least ${PASSWORD_CHARACTERS_MIN} characters. Several words make a good password.`,
  )
  .max(PASSWORD_CHARACTERS_MAX, `Use ${PASSWORD_CHARACTERS_MAX} characters at most.`)
  .meta({
    description:
      'Any characters, spaces among them. What has leaked elsewhere or is easy to guess is refused.',
    examples: ['five quick laps at Spa'],
  });

/** Counts what worked until a new password ended it. */
export const endedWithPassword = z
  .object({
    apiTokens: z.int(),
    recoveryCodes: z.int(),
    linksMade: z.int().meta({ description: 'Invitations, and links for the passwords of others.' }),
  })
  .meta({
    description: 'The number of what has ended with the old password: make it again where you need it.',
  });

export type EndedWithPassword = z.infer<typeof endedWithPassword>;

export const tokenSchema = z
  .string()
  .regex(/^[\w-]{43}$/, 'This is not a whole link: open it again, or copy all of it.')
  .meta({
    description: 'The text after the # of the link.',
    examples: ['mJ3kq2Zt7Yw0aBcDeFgHiJkLmNoPqRsTuVwXyZ01234'],
  });

export const newAccount = {
  firstName: personNameSchema,
  lastName: personNameSchema,
  email: emailSchema,
  password: newPassword,
};

const base64url = z
  .string()
  .regex(/^[\w-]+$/, 'This is not base64url.')
  .max(20_000);

const extensionResults = z.looseObject({}).optional().default({});

/** The result of `navigator.credentials.get` as JSON. */
export const passkeyAssertionSchema = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
  clientExtensionResults: extensionResults,
});

/** The result of `navigator.credentials.create` as JSON. */
export const newPasskeySchema = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
  }),
  clientExtensionResults: extensionResults,
});

const challenge = z.string().meta({ description: 'Base64url.' });
const userVerification = z.enum(['required', 'preferred', 'discouraged']).optional();

/** The options for `navigator.credentials.get` as JSON. */
export const passkeyOptions = z.object({
  options: z.object({
    challenge,
    rpId: z.string().optional(),
    timeout: z.number().optional(),
    userVerification,
  }),
});

/** The options for `navigator.credentials.create` as JSON. */
export const newPasskeyOptions = z.object({
  options: z.object({
    challenge,
    rp: z.object({ name: z.string(), id: z.string().optional() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
    timeout: z.number().optional(),
    excludeCredentials: z.array(z.object({ id: z.string(), type: z.string() })).optional(),
    authenticatorSelection: z
      .object({ residentKey: z.enum(['required', 'preferred', 'discouraged']).optional(), userVerification })
      .optional(),
  }),
});
