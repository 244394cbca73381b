import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { roleEndpoints } from '#contract/people/roles.ts';
import { changeRole } from '#server/model/people/role-store.ts';
import { serve } from '#server/kernel/http/endpoints.ts';

/** Serves the roles, which administrators grant. */
export function mountRoleRoutes(app: FastifyInstance, { database: { db }, adminEmails }: Services): void {
  serve(app, roleEndpoints.set, async ({ viewer, params: { userId }, body: { role } }) => {
    await changeRole(db, viewer, { userId, role, adminEmails });
    return { userId, role };
  });
}
