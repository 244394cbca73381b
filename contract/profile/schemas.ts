import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';

export const accountEndpoints = {
  export: endpoint({
    method: 'GET',
    path: '/api/account/export',
    access: 'signed_in',
    // An export reads all files of an account.
    limit: 10,
    summary:
      'Everything that is kept of the signed-in user: a zip with account.json, their lap files, the traces of their laps as CSV, and their images.',
    response: 'application/zip',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/account',
    access: 'signed_in',
    summary:
      'Removes the signed-in user with their sessions, laps, lap files, cars, images and sign-ins, for good.',
    response: z.object({ removed: z.literal(true) }),
    errors: { conflict: 'The user is the last owner of this server.' },
  }),
};
