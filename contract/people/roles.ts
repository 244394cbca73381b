import { z } from 'zod';
import { userIdSchema } from '#contract/ids.ts';
import { endpoint, NOT_RECENT } from '#contract/endpoint.ts';
import { ROLES } from './labels.ts';

export const roleSchema = z.enum(ROLES).meta({
  description:
    '`moderator`: decides on flagged laps. `admin`: administers everything. `owner`: makes administrators as well.',
});

export const roleEndpoints = {
  set: endpoint({
    method: 'PUT',
    path: '/api/admin/users/:userId/role',
    access: 'admin',
    audit: 'change-role',
    recentSignIn: 'Sign in again to change a role.',
    summary:
      'Gives a user another role. Only owners make and unmake administrators and owners, and there is always one owner.',
    params: z.object({ userId: userIdSchema }),
    body: z.object({ role: roleSchema }),
    response: z.object({ userId: userIdSchema, role: roleSchema }),
    errors: {
      not_allowed: 'The caller is no owner, and the user is or would become an administrator or owner.',
      ...NOT_RECENT,
      not_found: 'There is no such user.',
      conflict: 'The user is the last owner, or an owner by the settings of the server.',
    },
  }),
};
