import type { FastifyInstance } from 'fastify';
import { signInEndpoints } from '#contract/people/schemas.ts';
import type { DiskSpace } from '#server/kernel/files/disk-space.ts';
import { AppError, DISK_FULL_SENTENCE } from '#server/kernel/errors.ts';
import { SAFE_METHODS } from './safe-methods.ts';

/** Refuses calls that bring something while there is no room for it. What removes something makes room, and is let through. */
export function refuseChangesWithoutRoom(
  app: FastifyInstance,
  { hasRoomFor }: Pick<DiskSpace, 'hasRoomFor'>,
): void {
  app.addHook('onRequest', async ({ method, url, headers }) => {
    const isChange = !SAFE_METHODS.has(method) && method !== 'DELETE' && url.startsWith('/api/');
    if (!isChange || url === signInEndpoints.logout.path) return;
    if (!(await hasRoomFor(Number(headers['content-length'] ?? 0))))
      throw new AppError('unavailable', DISK_FULL_SENTENCE);
  });
}
