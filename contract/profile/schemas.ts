import { z } from 'zod';
import { endpoint, NOT_RECENT } from '#contract/endpoint.ts';
import { LIMITS } from '#contract/limits.ts';

export const accountEndpoints = {
  export: endpoint({
    method: 'GET',
    path: '/api/account/export',
    access: 'signed_in',
    // An export reads all files of an account.
    limit: 10,
    recentSignIn: 'Sign in again to export your data.',
    summary:
      'Everything that is kept of the signed-in user: a zip with account.json, their lap files, the traces of their laps as CSV, and their images.',
    forLeaving: true,
    response: 'application/zip',
    errors: NOT_RECENT,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/account',
    access: 'signed_in',
    recentSignIn: 'Sign in again to delete your account.',
    forLeaving: true,
    audit: 'delete-account',
    summary:
      'Hides everything of the signed-in user from others at once and deletes it for good after seven days, unless the user keeps the account. A repeated call changes nothing.',
    body: z.object({
      name: z
        .string()
        .max(LIMITS.nameCharactersMax)
        .meta({ description: 'The name of the user as others see it, typed again.', examples: ['Ana Lima'] }),
    }),
    response: z.object({ deletionDueAt: z.string() }),
    errors: { ...NOT_RECENT, conflict: 'The user is the last owner of this server.' },
  }),
  keep: endpoint({
    method: 'DELETE',
    path: '/api/account/deletion',
    access: 'signed_in',
    forLeaving: true,
    audit: 'keep-account',
    summary: 'Keeps the account of the signed-in user, which was to be deleted: everything of it is back.',
    response: z.object({ kept: z.literal(true) }),
  }),
};
