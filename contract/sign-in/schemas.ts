import { z } from 'zod';
import { nullableText } from '#contract/values.ts';
import {
  emailSchema,
  endedWithPassword,
  givenPassword,
  newAccount,
  newPassword,
  passkeyAssertionSchema,
  passkeyOptions,
  tokenSchema,
} from './credential-fields.ts';
import { clubSettingsSchema, fixedRegistrationSchema } from '#contract/club/schemas.ts';
import { endpoint } from '#contract/endpoint.ts';
import { mailSettingsSchema } from '#contract/mail/settings.ts';
import { roleSchema } from '#contract/people/roles.ts';
import { LINK_KINDS, MISSING_SETTINGS, REGISTRATIONS } from './labels.ts';

const signedIn = z.object({ signedIn: z.literal(true) });
const needsPassword = z
  .boolean()
  .meta({ description: 'Whether the password has ended, so that the person sets a new one.' });
const signedInAfterTheft = signedIn.extend({
  ended: endedWithPassword,
  kept: z
    .object({ passkeys: z.int(), linkedIdentities: z.int() })
    .meta({ description: 'The number of what still opens the account: remove what is not yours.' }),
});
const WRONG = { not_signed_in: 'The address or the password is wrong.' };
const GONE = { not_found: 'The link has been used, has expired or never was one.' };

export const credentialEndpoints = {
  methods: endpoint({
    method: 'GET',
    path: '/api/auth/sign-in-methods',
    access: 'public',
    summary: 'Returns the sign-in methods of this server, and who may create an account.',
    response: z.object({
      clubName: nullableText.meta({ description: 'Null before the set-up.', examples: ['Kart Club Nord'] }),
      hasPasswords: z.boolean().meta({ description: 'Whether people sign in with accounts of this server.' }),
      provider: z
        .object({ name: z.string(), isLocal: z.boolean() })
        .nullable()
        .meta({ description: 'The outside provider, or the local one with its demo accounts.' }),
      registration: z.enum(REGISTRATIONS),
      sendsMail: z.boolean().meta({ description: 'Whether this server can send mail.' }),
      isSetUp: z.boolean().meta({ description: 'False until the set-up link has made an owner.' }),
    }),
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/auth/password',
    access: 'public',
    limit: 60,
    summary:
      'Signs in with e-mail address and password. Unknown addresses are answered like wrong passwords.',
    body: z.object({ email: emailSchema, password: givenPassword }),
    response: signedIn,
    errors: WRONG,
  }),
  passkeyOptions: endpoint({
    method: 'POST',
    path: '/api/auth/passkey/options',
    access: 'public',
    limit: 60,
    summary: 'A challenge for a sign-in with a passkey; it names no account.',
    response: passkeyOptions,
  }),
  passkeySignIn: endpoint({
    method: 'POST',
    path: '/api/auth/passkey',
    access: 'public',
    limit: 60,
    summary: 'Signs in with a passkey.',
    body: z.object({ credential: passkeyAssertionSchema }),
    response: signedIn,
    errors: { not_signed_in: 'The passkey is not known here, or its answer does not fit.' },
  }),
  recover: endpoint({
    method: 'POST',
    path: '/api/auth/recover',
    access: 'public',
    limit: 60,
    audit: 'use-recovery-code',
    summary:
      'Sets a new password with one of the recovery codes, and ends all auth sessions, tokens, links and codes.',
    body: z.object({ email: emailSchema, code: z.string().trim().min(1).max(40), newPassword }),
    response: signedInAfterTheft,
    errors: { not_signed_in: 'The address or the code is wrong.' },
  }),
  lookAtLink: endpoint({
    method: 'POST',
    path: '/api/auth/link',
    access: 'public',
    limit: 60,
    summary: 'Returns the purpose of a link; the link remains valid.',
    body: z.object({ kind: z.enum(LINK_KINDS), token: tokenSchema }),
    response: z.object({
      expiresAt: z.string(),
      email: nullableText.meta({
        description: 'The only address that it is for, or whose password it sets.',
      }),
      name: nullableText.meta({ description: 'The name of the person whose account it opens.' }),
      role: roleSchema.nullable(),
      missing: z
        .array(z.enum(MISSING_SETTINGS))
        .meta({ description: 'For the person who sets up the site: the missing settings of the server.' }),
      fixedRegistration: fixedRegistrationSchema,
    }),
    errors: GONE,
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/api/auth/invitation',
    access: 'public',
    limit: 60,
    audit: 'accept-invitation',
    summary: 'Makes an account with an invitation, and signs in.',
    body: z.object({ token: tokenSchema, ...newAccount }),
    response: signedIn,
    errors: { ...GONE, conflict: 'There is an account with this address already.' },
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/auth/register',
    access: 'public',
    limit: 60,
    audit: 'register',
    summary:
      'Creates an account of a member and signs in, if the owner has opened registration to everybody.',
    body: z.object(newAccount),
    response: signedIn,
    errors: {
      not_allowed: 'Accounts are made by invitation only, or not at all.',
      conflict: 'There is an account with this address already.',
      too_many_requests: 'Ten attempts in an hour from one address.',
    },
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/auth/reset',
    access: 'public',
    limit: 60,
    audit: 'reset-password',
    summary:
      'Sets a new password with a link, ends all auth sessions, tokens, links and codes, and signs in.',
    body: z.object({ token: tokenSchema, newPassword }),
    response: signedInAfterTheft,
    errors: GONE,
  }),
  signInByLink: endpoint({
    method: 'POST',
    path: '/api/auth/sign-in-link',
    access: 'public',
    limit: 60,
    summary:
      'Signs in with the link of a mail, which also proves the address. The first proof ends everything that was there before, also the password.',
    body: z.object({ token: tokenSchema }),
    response: signedIn.extend({ needsPassword }),
    errors: GONE,
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/auth/confirmation',
    access: 'signed_in',
    limit: 20,
    summary:
      'Confirms, with the link of a mail, that the address belongs to the signed-in user. The first proof ends everything that was there before, also the password, but this session.',
    body: z.object({ token: tokenSchema }),
    response: z.object({ confirmed: z.literal(true), needsPassword }),
    errors: { ...GONE, not_allowed: 'The link is for another account.' },
  }),
  setUp: endpoint({
    method: 'POST',
    path: '/api/auth/set-up',
    access: 'public',
    limit: 60,
    audit: ['set-up', 'change-mail'],
    summary: 'Makes the owner with the set-up link of the first start, names the club, and signs in.',
    body: z.object({
      token: tokenSchema,
      ...newAccount,
      clubName: clubSettingsSchema.shape.name,
      timeZone: clubSettingsSchema.shape.timeZone,
      registration: clubSettingsSchema.shape.registration,
      mail: mailSettingsSchema
        .optional()
        .meta({ description: 'Left out: no mail is sent until it is set on the page Operations.' }),
    }),
    response: signedIn,
    errors: { ...GONE, conflict: 'A mail server is given, and SMTP_URL is set.' },
  }),
};
