import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';

const NOT_RECENT = { confirmation_needed: 'The sign-in is older than 15 minutes: sign in again first.' };

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
    response: 'application/zip',
    errors: NOT_RECENT,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/account',
    access: 'signed_in',
    recentSignIn: 'Sign in again to delete your account.',
    summary:
      'Removes the signed-in user with their sessions, laps, lap files, cars, images and sign-ins, for good.',
    response: z.object({ removed: z.literal(true) }),
    errors: { ...NOT_RECENT, conflict: 'The user is the last owner of this server.' },
  }),
};
