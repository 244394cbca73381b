import { z } from 'zod';
import { searchQuery } from './admin-tracks.ts';
import { emailSchema } from './credential-fields.ts';
import { endpoint } from './endpoint.ts';
import { INVITATION_DAYS_MAX, INVITATION_USES_MAX } from './registration.ts';
import { roleSchema } from './roles.ts';

const personSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  role: roleSchema,
  isSuspended: z.boolean(),
  hasPassword: z.boolean().meta({ description: 'Whether a link can set a new password.' }),
  sessionCount: z.int(),
  lastSeenAt: z.string().nullable().meta({ description: 'Null where no device is signed in.' }),
});

export type Person = z.infer<typeof personSchema>;

const linkSchema = z.object({
  url: z.url().meta({ description: 'Shown this once; only its hash is kept.' }),
  expiresAt: z.string(),
});

const params = z.object({ userId: z.uuid() });
const NOT_THEIRS = {
  not_allowed: 'The caller is no owner, and it is about an administrator or an owner.',
};
const NO_SUCH_USER = { ...NOT_THEIRS, not_found: 'There is no such user.' };

/** People and how they come in, for administrators. */
export const peopleEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/people',
    access: 'admin',
    summary: 'Everybody with an account, searched by name and e-mail address.',
    query: searchQuery,
    response: z.object({ people: z.array(personSchema), total: z.int() }),
  }),
  invite: endpoint({
    method: 'POST',
    path: '/api/admin/invitations',
    access: 'admin',
    summary: 'Makes a link with which people make an account of this server.',
    body: z.object({
      role: roleSchema,
      uses: z.int().min(1).max(INVITATION_USES_MAX).default(1),
      days: z.int().min(1).max(INVITATION_DAYS_MAX).default(7),
      email: emailSchema
        .optional()
        .meta({ description: 'The invitation is for this address alone, once, and is mailed to it.' }),
    }),
    response: linkSchema,
    errors: { ...NOT_THEIRS, conflict: 'An address was given, and the setting SMTP_URL is missing.' },
  }),
  makeResetLink: endpoint({
    method: 'POST',
    path: '/api/admin/people/:userId/reset-link',
    access: 'admin',
    summary: 'Makes a link that sets a new password, to hand to its owner. It works once, for a day.',
    params,
    response: linkSchema,
    errors: { ...NO_SUCH_USER, conflict: 'The account has no password here.' },
  }),
  suspend: endpoint({
    method: 'PUT',
    path: '/api/admin/people/:userId/suspension',
    access: 'admin',
    summary: 'Suspends a user, who is signed out everywhere and may not sign in, or lets them in again.',
    params,
    body: z.object({ isSuspended: z.boolean() }),
    response: z.object({ userId: z.uuid(), isSuspended: z.boolean() }),
    errors: { ...NO_SUCH_USER, conflict: 'It is the last owner, or the caller themselves.' },
  }),
};
