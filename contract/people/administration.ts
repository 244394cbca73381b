import { z } from 'zod';
import { invitationIdSchema, userIdSchema } from '#contract/ids.ts';
import { searchQuery } from '#contract/lists.ts';
import { emailSchema } from '#contract/sign-in/credential-fields.ts';
import { endpoint, NOT_RECENT } from '#contract/endpoint.ts';
import { INVITATION_DAYS_MAX, INVITATION_USES_MAX } from '#contract/sign-in/labels.ts';
import { clubSettingsSchema, fixedRegistrationSchema } from '#contract/club/schemas.ts';
import { roleSchema } from './roles.ts';

const personSchema = z.object({
  id: userIdSchema,
  name: z.string(),
  role: roleSchema,
  isSuspended: z.boolean(),
  isLeaving: z.boolean().meta({
    description: 'Whether the user has deleted the account, which the server does after seven days.',
  }),
  hasPassword: z.boolean().meta({ description: 'Whether a link can set a new password.' }),
  isLastOwner: z.boolean().meta({
    description: 'Whether it is the only owner, who can be neither demoted, suspended nor removed.',
  }),
  isRoleFixed: z.boolean().meta({
    description: 'Whether the role cannot be changed: the only owner, or one by the settings of the server.',
  }),
  sessionCount: z.int(),
  lapCount: z.int().meta({ description: 'The laps that rank on boards, as on the profile.' }),
  lastSeenAt: z.string().nullable().meta({ description: 'Null where no device is signed in.' }),
});

export type Person = z.infer<typeof personSchema>;

const linkSchema = z.object({
  url: z.url().meta({ description: 'Shown this once; only its hash is kept.' }),
  expiresAt: z.string(),
});

const invitationSchema = z.object({
  id: invitationIdSchema,
  role: roleSchema,
  usesLeft: z.int(),
  expiresAt: z.string(),
  createdBy: z.string().nullable().meta({ description: 'The name of who made it.' }),
});

const madeLinkSchema = z.object({
  kind: z.enum(['invitation', 'reset']),
  role: roleSchema.nullable().meta({ description: 'The role that an invitation gives.' }),
  resetsPasswordOf: z.string().nullable().meta({ description: 'The name of whose password it sets.' }),
  usesLeft: z.int(),
  expiresAt: z.string(),
});

export type MadeLink = z.infer<typeof madeLinkSchema>;

const params = z.object({ userId: userIdSchema });
const NOT_THEIRS = {
  not_allowed: 'The caller is no owner, and it is about an administrator or an owner.',
};
const NO_SUCH_USER = { ...NOT_THEIRS, not_found: 'There is no such user.' };

const clubAnswer = z.object({
  club: clubSettingsSchema.nullable().meta({ description: 'Null before the set-up.' }),
  fixedRegistration: fixedRegistrationSchema,
});

export const peopleEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/people',
    access: 'admin',
    summary: 'Everybody with an account, searched by name and e-mail address, seen last first.',
    query: searchQuery,
    response: z.object({
      people: z.array(personSchema),
      total: z.int(),
    }),
  }),
  invite: endpoint({
    method: 'POST',
    path: '/api/admin/invitations',
    access: 'admin',
    limit: 60,
    audit: 'invite',
    recentSignIn: {
      sentence: 'Sign in again to invite anybody but members.',
      if: ({ role }) => role !== 'member',
    },
    summary:
      'Makes a link with which people make an account of this server. It ends when its maker is suspended or gets a lower role.',
    body: z.object({
      role: roleSchema,
      uses: z.int().min(1).max(INVITATION_USES_MAX).default(1),
      days: z.int().min(1).max(INVITATION_DAYS_MAX).default(7),
      email: emailSchema
        .optional()
        .meta({ description: 'The invitation is for this address alone, once, and is mailed to it.' }),
    }),
    response: linkSchema,
    errors: { ...NOT_THEIRS, ...NOT_RECENT, conflict: 'An address was given, and no mail server is set.' },
  }),
  invitations: endpoint({
    method: 'GET',
    path: '/api/admin/invitations',
    access: 'admin',
    summary: 'The invitations that can still be used, the one that ends first first; never their links.',
    response: z.object({ invitations: z.array(invitationSchema) }),
  }),
  withdrawInvitation: endpoint({
    method: 'DELETE',
    path: '/api/admin/invitations/:invitationId',
    access: 'admin',
    audit: 'withdraw-invitation',
    summary: 'Withdraws an invitation: its link does nothing from now on.',
    params: z.object({ invitationId: invitationIdSchema }),
    response: z.object({ removed: z.literal(true) }),
    errors: { ...NOT_THEIRS, not_found: 'There is no such invitation, or it can no longer be used.' },
  }),
  deletePerson: endpoint({
    method: 'DELETE',
    path: '/api/admin/people/:userId',
    access: 'admin',
    audit: 'remove-user',
    recentSignIn: 'Sign in again to remove an account.',
    summary:
      'Removes a user with their sessions, laps, lap files, cars, images and sign-ins, from every board and for good.',
    params,
    response: z.object({ removed: z.literal(true) }),
    errors: { ...NO_SUCH_USER, ...NOT_RECENT, conflict: 'It is the last owner, or the caller themselves.' },
  }),
  madeLinks: endpoint({
    method: 'GET',
    path: '/api/admin/people/:userId/links',
    access: 'admin',
    summary:
      'The invitations and password links that a user made and that can still be used, never the links themselves. They end when the user is suspended or gets a lower role.',
    params,
    response: z.object({ links: z.array(madeLinkSchema) }),
    errors: NO_SUCH_USER,
  }),
  club: endpoint({
    method: 'GET',
    path: '/api/admin/club',
    access: 'admin',
    summary: 'Returns the settings of the owner for the whole site.',
    response: clubAnswer,
  }),
  changeClub: endpoint({
    method: 'PUT',
    path: '/api/admin/club',
    access: 'owner',
    audit: 'change-club',
    recentSignIn: 'Sign in again to change what holds for the whole site.',
    summary:
      'Changes the name of the club, its time zone, who may make an account, whether simulators have boards, and whether samples are offered.',
    body: clubSettingsSchema.partial({ hasSimulatorBoards: true, hasSamples: true }),
    response: clubAnswer,
    errors: { ...NOT_RECENT, not_allowed: 'The caller is no owner.' },
  }),
  makeResetLink: endpoint({
    method: 'POST',
    path: '/api/admin/people/:userId/reset-link',
    access: 'admin',
    limit: 60,
    audit: 'make-reset-link',
    recentSignIn: 'Sign in again to make a link for the password of somebody else.',
    summary: 'Makes a link that sets a new password, to hand to its owner. It works once, for a day.',
    params,
    response: linkSchema,
    errors: { ...NO_SUCH_USER, ...NOT_RECENT, conflict: 'The account has no password here.' },
  }),
  suspend: endpoint({
    method: 'PUT',
    path: '/api/admin/people/:userId/suspension',
    access: 'admin',
    audit: ['suspend-user', 'restore-user'],
    recentSignIn: 'Sign in again to suspend somebody or to let somebody in again.',
    summary: 'Suspends a user, who is signed out everywhere and may not sign in, or lets them in again.',
    params,
    body: z.object({ isSuspended: z.boolean() }),
    response: z.object({ userId: userIdSchema, isSuspended: z.boolean() }),
    errors: { ...NO_SUCH_USER, ...NOT_RECENT, conflict: 'It is the last owner, or the caller themselves.' },
  }),
};
