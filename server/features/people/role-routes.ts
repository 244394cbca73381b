import type { FastifyInstance } from 'fastify';
import { roleEndpoints } from '#contract/roles.ts';
import { changeRole } from '#server/model/people/role-store.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { serve } from '#server/kernel/http/endpoints.ts';

/** Roles, which administrators grant. */
export function mountRoleRoutes(
  app: FastifyInstance,
  { db }: OpenDatabase,
  adminEmails: ReadonlySet<string>,
): void {
  serve(app, roleEndpoints.set, async ({ viewer, params: { userId }, body: { role } }) => {
    await changeRole(db, viewer, { userId, role, adminEmails });
    return { userId, role };
  });
}
