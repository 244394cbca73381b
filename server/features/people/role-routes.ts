import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { roleEndpoints } from '#contract/people/roles.ts';
import { changeRole, checkMayChangeRole } from '#server/model/people/role-store.ts';
import { type Call, serve } from '#server/kernel/http/endpoints.ts';

/** Serves the roles, which administrators grant. */
export function mountRoleRoutes(app: FastifyInstance, { database: { db }, adminEmails }: Services): void {
  const setRole = async ({ viewer, params: { userId }, body: { role } }: Call<typeof roleEndpoints.set>) => {
    await changeRole(db, viewer, { userId, role, adminEmails });
    return { userId, role };
  };
  serve(app, roleEndpoints.set, setRole, async ({ viewer, params: { userId }, body: { role } }) => {
    await checkMayChangeRole(db, viewer, { userId, role, adminEmails });
  });
}
