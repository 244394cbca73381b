import { z } from 'zod';
import { authSessionIdSchema, passkeyIdSchema } from '#contract/ids.ts';
import { nullableText } from '#contract/values.ts';
import {
  endedWithPassword,
  givenPassword,
  newPassword,
  newPasskeyOptions,
  newPasskeySchema,
} from './credential-fields.ts';
import { endpoint, NOT_RECENT } from '#contract/endpoint.ts';
import { ASKED_ABOUT } from './labels.ts';
import { personNameSchema } from '#contract/people/schemas.ts';

const removed = z.object({ removed: z.literal(true) });

const passkeyName = personNameSchema.meta({ examples: ['Phone'] });

export const ownCredentialEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/account/credentials',
    access: 'signed_in',
    forLeaving: true,
    summary: 'Password, passkeys, recovery codes, linked provider and devices of the signed-in user.',
    response: z.object({
      signInEmail: nullableText.meta({
        description: 'Null for an account that has never had a password here.',
      }),
      hasPassword: z.boolean().meta({ description: 'False where the password has ended, too.' }),
      mayHavePassword: z.boolean().meta({ description: 'Whether accounts of this server are in use.' }),
      isRecent: z
        .boolean()
        .meta({ description: 'Whether the sign-in is recent enough to change any of this.' }),
      passkeys: z.array(
        z.object({
          id: passkeyIdSchema,
          name: z.string(),
          createdAt: z.string(),
          lastUsedAt: nullableText,
        }),
      ),
      recoveryCodesLeft: z.int(),
      linkableProvider: z
        .object({ name: z.string(), isLinked: z.boolean() })
        .nullable()
        .meta({ description: 'Null where there is no outside provider, or the account is one of it.' }),
      devices: z.array(
        z.object({
          id: authSessionIdSchema,
          device: z.string().meta({ examples: ['Chrome on Android'] }),
          isThisOne: z.boolean(),
          signedInAt: z.string(),
          lastSeenAt: z.string(),
        }),
      ),
    }),
  }),
  changePassword: endpoint({
    method: 'PUT',
    path: '/api/account/password',
    access: 'signed_in',
    limit: 30,
    audit: 'change-password',
    summary:
      'Changes the password, or adds one to an account with a verified address; ends all other auth sessions, API tokens, recovery codes, links that were mailed and links that the user made.',
    body: z.object({
      currentPassword: givenPassword.optional(),
      newPassword,
      alsoEnd: z
        .array(z.enum(ASKED_ABOUT))
        .max(ASKED_ABOUT.length)
        .default([])
        .meta({ description: 'Also ends these. They are kept otherwise: remove what is not yours.' }),
    }),
    response: z.object({ changed: z.literal(true), ended: endedWithPassword }),
    errors: { ...NOT_RECENT, conflict: 'The account has no verified address that is free.' },
  }),
  newPasskeyOptions: endpoint({
    method: 'POST',
    path: '/api/account/passkeys/options',
    access: 'signed_in',
    limit: 30,
    recentSignIn: true,
    summary: 'A challenge to add a passkey.',
    response: newPasskeyOptions,
    errors: NOT_RECENT,
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/api/account/passkeys',
    access: 'signed_in',
    limit: 30,
    recentSignIn: true,
    audit: 'add-passkey',
    summary: 'Adds a passkey.',
    body: z.object({ name: passkeyName, credential: newPasskeySchema }),
    response: z.object({ added: z.literal(true) }),
    errors: { ...NOT_RECENT, conflict: 'The passkey is here already, or there are as many as may be.' },
  }),
  renamePasskey: endpoint({
    method: 'PUT',
    path: '/api/account/passkeys/:passkeyId',
    access: 'signed_in',
    summary: 'Gives a passkey another name.',
    params: z.object({ passkeyId: passkeyIdSchema }),
    body: z.object({ name: passkeyName }),
    response: z.object({ renamed: z.literal(true) }),
  }),
  deletePasskey: endpoint({
    method: 'DELETE',
    path: '/api/account/passkeys/:passkeyId',
    access: 'signed_in',
    recentSignIn: true,
    audit: 'remove-passkey',
    summary: 'Removes a passkey.',
    params: z.object({ passkeyId: passkeyIdSchema }),
    response: removed,
    errors: { ...NOT_RECENT, conflict: 'It is the only way to sign in to the account.' },
  }),
  makeRecoveryCodes: endpoint({
    method: 'POST',
    path: '/api/account/recovery-codes',
    access: 'signed_in',
    limit: 30,
    recentSignIn: true,
    audit: 'make-recovery-codes',
    summary: 'Makes ten recovery codes, shown this once; older ones are void.',
    response: z.object({ codes: z.array(z.string()) }),
    errors: { ...NOT_RECENT, conflict: 'Only an account with a password has recovery codes.' },
  }),
  signOutDevice: endpoint({
    method: 'DELETE',
    path: '/api/account/devices/:deviceId',
    access: 'signed_in',
    summary: 'Signs out one device.',
    params: z.object({ deviceId: authSessionIdSchema }),
    response: removed,
  }),
  signOutOthers: endpoint({
    method: 'DELETE',
    path: '/api/account/devices',
    access: 'signed_in',
    summary: 'Signs out all devices but this one.',
    response: removed,
  }),
  linkProvider: endpoint({
    method: 'POST',
    path: '/api/account/provider',
    access: 'signed_in',
    limit: 30,
    recentSignIn: true,
    summary:
      'Begins to link an identity at the outside provider: the browser goes to `url`, signs in there, and comes back.',
    response: z.object({ url: z.url() }),
    errors: { ...NOT_RECENT, conflict: 'There is no outside provider to link.' },
  }),
  unlinkProvider: endpoint({
    method: 'DELETE',
    path: '/api/account/provider',
    access: 'signed_in',
    recentSignIn: true,
    audit: 'unlink-provider',
    summary: 'Removes the link to the outside provider.',
    response: removed,
    errors: { ...NOT_RECENT, conflict: 'It is the only way to sign in to the account.' },
  }),
};
