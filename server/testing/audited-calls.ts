import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { auditLog } from '#server/model/audit/schema.ts';
import type { Database } from '#server/kernel/database/database.ts';

const ACTION_ROWS = z.array(z.object({ action: z.string() }));

/** Watches which endpoints that declare an audit entry are called with success at apps that are made until `stop`. */
export function watchAuditedCalls() {
  const called = new Map<string, readonly string[]>();
  const watch = (message: unknown): void => {
    const { fastify } = z.object({ fastify: z.custom<FastifyInstance>() }).parse(message);
    fastify.addHook('onResponse', async (request, { statusCode }) => {
      const { endpoint } = request.routeOptions.config;
      if (endpoint?.audit === undefined || statusCode !== 200) return;
      called.set(`${endpoint.method} ${endpoint.path}`, [endpoint.audit].flat());
    });
  };
  // Fastify announces each instance before any route is added to it.
  subscribe('fastify.initialization', watch);
  return {
    stop: () => void unsubscribe('fastify.initialization', watch),
    /** Lists the endpoints whose calls succeeded although the audit log holds no entry that they declare. */
    listUnaudited: async (db: Database): Promise<string[]> => {
      if (called.size === 0) return [];
      const { rows } = await db.execute(sql`SELECT DISTINCT action FROM ${auditLog}`);
      const written = new Set(ACTION_ROWS.parse(rows).map(({ action }) => action));
      return [...called].flatMap(([name, actions]) =>
        actions.some((action) => written.has(action)) ? [] : [name],
      );
    },
  };
}
